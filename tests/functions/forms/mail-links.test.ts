import { beforeEach, expect, test, vi } from 'vitest';
import { composeMail } from '../../../netlify/core/mail/compose.ts';
import { invoiceDocument } from '../../../src/domain/invoice/invoice.ts';
import { orderFromRow } from '../../../src/domain/orders/order.ts';
import { eachRow } from '../../each-row.ts';

const order = {
  id: 1042,
  merchant_transaction_id: 'ABC-1042-a1b2c3',
  items: [{ product_id: 'a', name: 'Temple ring', quantity: 1, price: 60_000, image: null }],
  subtotal_paise: 6_000_000,
  fee_paise: 141_600,
  amount: '61416.00',
  customer_name: 'Anjali Menon',
  customer_email: 'anjali@example.com',
  customer_phone: '+91 98470 12345',
  customer_address: 'House 12, Canal Road',
  customer_city: 'Kochi',
  customer_postal_code: '682001',
  notes: null,
  payment_id: 'pay_00000000000001',
};
const invoice = {
  number: 'ABC/2026-27/0001',
  issuedAt: '2026-11-20T10:00:00Z',
  document: invoiceDocument(orderFromRow(order)),
  creditNotes: [],
};
const refund = {
  payment_id: 'pay_00000000000001',
  amount_paise: 100_000,
  reason: 'partial_refund',
};
const parcel = {
  carrier: 'India Post',
  tracking_number: 'EM123456789IN',
  tracking_url: 'https://track.example/EM123456789IN',
};
const message = {
  id: 4,
  name: 'Devika',
  email: 'devika@example.com',
  subject: 'Size',
  message: 'Which one?',
};
const ordersOfCustomer = 'https://shop.example/profile#orders';
const stepsOfOrder = 'https://shop.example/track/1042-[\\w-]{43}';
const orderOfAdmin = 'https://shop.example/admin#orders/1042';

beforeEach(() => {
  vi.stubEnv('URL', 'https://shop.example');
  vi.stubEnv('SUPABASE_URL', 'https://project.supabase.co');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'sb_secret_of_the_test');
});

test('every mail links to its order, its parcel, the inbox or the admin page, in HTML and text', () =>
  eachRow(
    [
      ['order_confirmation', order, {}, ordersOfCustomer],
      ['shipped_notice', order, parcel, ordersOfCustomer],
      ['shipped_notice', order, parcel, parcel.tracking_url],
      ['order_confirmation', order, {}, stepsOfOrder],
      ['shipped_notice', order, parcel, stepsOfOrder],
      ['order_cancelled', order, refund, stepsOfOrder],
      ['refund_notice', order, refund, stepsOfOrder],
      ['invoice_mail', order, invoice, `${stepsOfOrder}/invoice`],
      ['order_notice', order, {}, orderOfAdmin],
      ['refund_alert', order, refund, orderOfAdmin],
      ['refund_alert', null, refund, 'https://shop.example/admin'],
      ['admin_alert', order, { topic: 'dispute', event: 'payment.dispute.created' }, orderOfAdmin],
      [
        'admin_alert',
        null,
        { topic: 'build_silent', kind: 'failed' },
        'https://shop.example/admin',
      ],
      ['contact_message', null, message, 'https://shop.example/admin#inbox'],
    ] as const,
    ([kind, row, payload, address]) => {
      const mail = composeMail(kind, { order: row, payload });
      expect(mail.text).toMatch(new RegExp(`${address}$`, 'mu'));
      expect(mail.html).toMatch(new RegExp(`href="${address}"`, 'u'));
    },
  ));

test('an address names its state, as the carrier asks for it', () =>
  eachRow(['order_confirmation', 'order_notice', 'shipped_notice'], (kind) => {
    expect(composeMail(kind, { order, payload: parcel }).text).toContain('Kochi 682001\nKerala\n');
  }));

test('a failed publishing is explained in a shopkeeper’s words, with what to do', () => {
  const payload = {
    topic: 'build_silent',
    kind: 'failed',
    since: '2026-11-21T10:00:00Z',
    reason: 'exit code: 2',
  };
  const { subject, text } = composeMail('admin_alert', { order: null, payload });
  expect(subject).toBe('Your changes are not published');
  expect(text).toContain('press ‘Publish now’');
  expect(text.indexOf('exit code: 2')).toBeGreaterThan(
    text.indexOf('the person who maintains your site'),
  );
  expect(text.slice(0, text.indexOf('For them:'))).not.toMatch(/build|hook|engineer/u);
});
