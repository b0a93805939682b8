import { composeMail, mailKinds } from '#core/mail/compose.ts';
import type { Mail } from '#core/mail/mail.ts';
import { invoiceDocument } from '#domain/invoice/invoice.ts';
import { orderFromRow } from '#domain/orders/order.ts';

/** A paid order, as its mails are about it. */
export const sampleRow = {
  id: 1042,
  merchant_transaction_id: 'REF-1042-a1b2c3',
  items: [{ product_id: 'a', name: 'Temple ring', quantity: 1, price: 60_000, image: null }],
  subtotal_paise: 6_000_000,
  discount_paise: 100_000,
  discount_code: 'ONAM',
  fee_paise: 141_600,
  amount: '60416.00',
  status: 'COMPLETED',
  state: 'paid',
  kind: 'now',
  paid_at: '2026-11-20T10:00:00Z',
  created_at: '2026-11-20T10:00:00Z',
  fulfilment: 'new',
  customer_name: 'Anjali Menon',
  customer_email: 'anjali@example.com',
  customer_phone: '+91 98470 12345',
  customer_address: 'House 12, Canal Road',
  customer_city: 'Bengaluru',
  customer_postal_code: '560001',
  notes: null,
  gift_note: 'For Asha',
  payment_id: 'pay_00000000000001',
};
const token = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const code = { email: 'anjali@example.com', token: '12345678' };
const refund = { payment_id: 'pay_00000000000001', amount_paise: 100_000 };

const parcel = {
  carrier: 'India Post',
  tracking_number: 'EM123456789IN',
  tracking_url: 'https://track.example/EM123456789IN',
};

/** What makes the order one that is paid at the door, after an advance. */
const cashColumns = {
  kind: 'door_advance',
  status: 'PENDING',
  payment_id: null,
  paid_at: null,
  cash_paise: 4_846_600,
  cash_charge_paise: 5_000,
  amount: '60466.00',
  advance_payment_id: 'pay_00000000000002',
};
const cashStates: Readonly<Record<string, object>> = {
  cash_order_placed: {
    state: 'to_confirm',
    hold_expires_at: '2026-11-21T10:00:00Z',
  },
  order_notice: { state: 'to_confirm', hold_expires_at: '2026-11-21T10:00:00Z' },
};

/** The order as a mail is about it. */
const orderOf = (kind: string, payload: unknown, paid: unknown): unknown =>
  kind.startsWith('cash_order') || (payload as { atTheDoor?: boolean }).atTheDoor === true
    ? {
        ...(paid as object),
        ...cashColumns,
        ...(cashStates[kind] ?? { state: 'due', cash_confirmed_at: '2026-11-20T12:00:00Z' }),
      }
    : paid;

/** What each kind of mail is about; a kind that tells several things has one entry for each. */
const samples: readonly (readonly [kind: string, payload: unknown])[] = [
  ['order_confirmation', {}],
  ['order_notice', {}],
  // The other reasons: tests/functions/forms/mail.test.ts.
  ['refund_notice', { ...refund, reason: 'partial_refund' }],
  ['refund_notice', { ...refund, reason: 'stock_gone' }],
  ['refund_alert', { ...refund, reason: 'refund_failed' }],
  ['refund_alert', { ...refund, reason: 'refund_waits' }],
  ['admin_alert', { topic: 'dispute', event: 'payment.dispute.created' }],
  ['admin_alert', { topic: 'build_silent', kind: 'failed' }],
  ['admin_alert', { topic: 'deploys_used', used: 42, perMonth: 60 }],
  ['order_cancelled', refund],
  ['cash_order_placed', {}],
  ['cash_order_confirmed', {}],
  ...(
    [
      ['not_confirmed', 0, 0],
      ['cancelled', 1_200_000, 0],
      ['refused', 0, 1_200_000],
    ] as const
  ).map(
    ([why, returned_paise, kept_paise]) =>
      ['cash_order_ended', { why, returned_paise, kept_paise }] as const,
  ),
  ['order_notice', { atTheDoor: true }],
  ['shipped_notice', { ...parcel, atTheDoor: true }],
  ['shipped_notice', parcel],
  ['delivered_notice', {}],
  ['claim_received', {}],
  ['review_request', {}],
  ['cart_mail', { address_hash: 'c'.repeat(64) }],
  ['admin_alert', { topic: 'review' }],
  ...(['refund', 'replacement', 'declined'] as const).map(
    (answer) =>
      [
        'claim_answered',
        { answer, reason: 'Seen in the photos.', amount_paise: 100_000, replacement_id: 1043 },
      ] as const,
  ),
  [
    'invoice_mail',
    {
      number: 'INV/2026-27/0001',
      issuedAt: '2026-11-20T10:00:00Z',
      document: invoiceDocument(orderFromRow(sampleRow)),
      creditNotes: [],
    },
  ],
  [
    'contact_message',
    { id: 4, name: 'Devika', email: 'devika@example.com', subject: 'Size', message: 'Which one?' },
  ],
  ['newsletter_confirmation', { token }],
  ['newsletter_welcome', { token }],
  ['back_in_stock', { product_id: token, name: 'Temple ring' }],
  ['stock_alert_confirmation', { token, name: 'Temple ring' }],
  ['sign_up_code', { ...code, token_hash: 'a'.repeat(56) }],
  ['login_code', { ...code, token_hash: 'b'.repeat(56) }],
  ['account_deletion', { user_id: token, asked_at: '2026-11-20T10:00:00Z' }],
];

/**
 * Every kind of mail as this shop writes it. Needs the variables that links in mails need. `real` has what the mails are about in a
 * running shop: a row of `orders`, and the payload of each kind whose links have a token.
 * @throws {Error} for a kind without a sample
 */
export function sampleMails(
  real: { order?: unknown; payloads?: Readonly<Record<string, unknown>> } = {},
): (Mail & { kind: string })[] {
  const missing = mailKinds.filter((kind) => samples.every(([sampled]) => sampled !== kind));
  if (missing.length > 0) throw new Error(`No sample of ${missing.join(', ')}`);
  // A shop that collects no reviews has no mail that asks for one.
  const sent = samples.filter(([kind]) => mailKinds.includes(kind));
  return sent.map(([kind, payload]) => ({
    kind,
    ...composeMail(kind, {
      order: orderOf(kind, payload, real.order ?? sampleRow),
      payload: real.payloads?.[kind] ?? payload,
    }),
  }));
}
