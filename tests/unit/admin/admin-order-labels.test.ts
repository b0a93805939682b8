import { describe, expect, test } from 'vitest';
import { orderTimeline } from '#domain/admin/orders/order-timeline.ts';
import {
  cancelRefundOf,
  fulfilmentBadge,
  orderActions,
  paymentBadge,
} from '#domain/admin/orders/order-labels.ts';
import { adminOrderSchema, type AdminOrder } from '#domain/admin/orders/orders.ts';
import { gstinNote } from '#domain/admin/orders/gstin-note.ts';
import { pinNote } from '#domain/admin/orders/pin-note.ts';
import { refundNotes, refundSums } from '#domain/admin/orders/refund-notes.ts';
import { ordersHash, readOrdersHash } from '#domain/admin/orders/orders-address.ts';
import {
  addressBlock,
  mailLink,
  telLink,
  whatsappLink,
} from '#domain/admin/orders/contact-links.ts';
import { paymentReasons, reasonInHistory } from '#domain/orders/payment-reasons.ts';
import { indiaDay, indiaMoment, recentMonths } from '#domain/india-dates.ts';
import { adminOrder } from './admin-order.ts';
import { eachRow } from '#tests/each-row.ts';
import { useSampleTax } from '#tests/sample-tax.ts';

useSampleTax();

describe('an order of the owner', () => {
  const refund: AdminOrder['refunds'][number] = {
    id: 1,
    paymentId: 'pay_1',
    amountPaise: 173_910,
    state: 'due',
    reason: null,
    lastError: 'failed SERVER_ERROR',
    razorpayRefundId: null,
    at: '2026-11-23T05:00:00Z',
    triedAt: '2026-11-23T05:12:00Z',
    nextTryAt: '2026-11-23T05:17:00Z',
    disputed: false,
  };

  test('has a badge that says where its money is', () =>
    eachRow<[string, string, number, string, ('waiting' | 'failed')?]>(
      [
        ['COMPLETED', 'COMPLETED', 204_720, 'Refund on its way', 'waiting'],
        ['COMPLETED', 'COMPLETED', 0, 'Refund failed', 'failed'],
        ['COMPLETED', 'PARTIALLY_REFUNDED', 10_000, 'Partly refunded'],
        ['COMPLETED', 'COMPLETED', 204_720, 'Refunded'],
        ['FAILED', 'REFUND_DUE', 0, 'Refund due'],
        ['PENDING', 'PENDING', 0, 'Not paid'],
        ['', 'captured', 0, 'Paid'],
        ['on hold', '', 0, 'on hold'],
      ],
      ([status, paymentStatus, refundedPaise, label, openRefund = null]) => {
        const order = adminOrder({ status, paymentStatus, refundedPaise, openRefund });
        expect(paymentBadge(order).label).toBe(label);
      },
    ));

  test('is to be packed only when it is paid', () => {
    expect(fulfilmentBadge(adminOrder())?.label).toBe('To pack');
    expect(fulfilmentBadge(adminOrder({ sold: false }))).toBeNull();
  });

  test('says of a refund that the bank refused when, and that the shop tries again by itself', () => {
    const order = (changes: Partial<AdminOrder>) =>
      adminOrder({ refundedPaise: 173_910, openRefund: 'waiting', ...changes });
    const [note, ...others] = refundNotes(order({ refunds: [refund] }));
    expect(others).toEqual([]);
    expect(note).toMatch(
      /^₹1,739\.10 has not reached the customer yet\. Razorpay refused it on .*10:42.*again by itself, next on .*10:47/u,
    );
    expect(refundNotes(order({ refunds: [{ ...refund, disputed: true }] }))).toEqual([
      '₹1,739.10 waits for the bank, because the payment is disputed. If the money stays with you, it goes back to the customer by itself.',
    ]);
    expect(refundSums(order({ refunds: [refund] }))).toEqual({ done: 0, open: 173_910 });
    const done = { ...refund, state: 'processed', razorpayRefundId: 'rfnd_1' } as const;
    const finished = order({ refunds: [done], openRefund: null });
    expect(refundNotes(finished)).toEqual([]);
    expect(refundSums(finished)).toEqual({ done: 173_910, open: 0 });
    const failed = order({ refunds: [{ ...refund, state: 'failed' }], openRefund: 'failed' });
    expect(refundNotes(failed)[0]).toContain('could not be sent back');
  });

  test('with a PIN code that is not six digits says so before it is packed, shipped and invoiced', () => {
    const note = (changes: Partial<AdminOrder>) => pinNote(adminOrder(changes));
    const postalCode = 'ABCD';
    expect(note({ postalCode })).toMatch(
      /^“ABCD” is not a PIN code of six digits\. .* before you pack: .*invoice would charge IGST/u,
    );
    expect(note({ postalCode, fulfilment: 'packed', invoiceNumber: 'ABC/26-27/0001' })).toBe(
      '“ABCD” is not a PIN code of six digits. Ask the customer and correct the details before you ship: the parcel may not arrive.',
    );
    expect(note({ postalCode: '' })).toMatch(/^This order has no PIN code\. /u);
    for (const fine of ['682001', '682 001', '900001'])
      expect(note({ postalCode: fine })).toBeNull();
    for (const over of ['shipped', 'delivered', 'cancelled'] as const)
      expect(note({ postalCode, fulfilment: over })).toBeNull();
    expect(note({ postalCode, sold: false })).toBeNull();
    expect(note({ postalCode, handedOver: true })).toBeNull();
  });

  test('whose GSTIN is of another state than its PIN code says so before and after the invoice', () => {
    const note = (changes: Partial<AdminOrder>) => gstinNote(adminOrder(changes));
    const gstin = '27AAPFU0939F1ZV';
    expect(note({ gstin })).toBe(
      'The GSTIN is of Maharashtra (27), but PIN code 680001 is in Kerala (32). The place of supply is where the goods are delivered, so the invoice will charge the GST of a sale to Kerala. Ask the customer, and correct the details before the invoice is issued.',
    );
    expect(note({ gstin, invoiceNumber: 'ABC/2026-27/0001' })).toMatch(/Tell your accountant\.$/u);
    expect(note({ gstin, postalCode: '400001', handedOver: true })).toContain(
      'the goods were handed over in Kerala (32)',
    );
    expect(note({ gstin, postalCode: '400001' })).toBeNull();
    expect(note({ gstin: '32AABCU9603R1ZW', postalCode: '682 016' })).toBeNull();
    for (const postalCode of ['', 'ABCD', '900001']) expect(note({ gstin, postalCode })).toBeNull();
    expect(note({})).toBeNull();
  });

  test('goes forward and back one step, and is cancelled only before it ships', () =>
    eachRow<[Partial<AdminOrder>, ReturnType<typeof orderActions>]>(
      [
        [{}, { forward: ['packed', 'shipped'], back: null, refund: true, cancel: true }],
        [
          { fulfilment: 'shipped', refundablePaise: 0 },
          { forward: ['delivered'], back: 'packed', refund: false, cancel: false },
        ],
        [
          { paymentStatus: 'FAILED', sold: false, refundablePaise: 0 },
          { forward: [], back: null, refund: false, cancel: false },
        ],
        [
          { handedOver: true },
          { forward: ['delivered', 'packed'], back: null, refund: true, cancel: true },
        ],
        [
          { fulfilment: 'delivered', packedAt: '2026-11-21T09:00:00Z' },
          { forward: [], back: 'packed', refund: true, cancel: false },
        ],
        [
          { fulfilment: 'delivered', carrier: 'DTDC', shippedAt: '2026-11-21T09:30:00Z' },
          { forward: [], back: 'shipped', refund: true, cancel: false },
        ],
      ],
      ([changes, actions]) => {
        expect(orderActions(adminOrder(changes))).toEqual(actions);
      },
    ));

  test('lists its history oldest first, with what needs attention and no words for programmers', () => {
    const mail = {
      kind: 'order_confirmation',
      recipient: 'anjali@kasavu.example',
      at: '2026-11-20T18:01:00Z',
      sentAt: '2026-11-20T18:01:05Z',
      attempts: 1,
      lastError: null,
    };
    const unsent = { ...mail, kind: 'invoice_mail', sentAt: null, lastError: '554 SERVER_ERROR' };
    const entries = orderTimeline(
      adminOrder({
        packedAt: '2026-11-21T04:00:00Z',
        refunds: [{ ...refund, state: 'failed', reason: 'Bent clasp' }],
        mails: [
          mail,
          { ...unsent, at: '2026-11-23T06:00:00Z' },
          { ...unsent, at: '2026-11-23T07:00:00Z', attempts: 3 },
          { ...unsent, at: '2026-11-23T08:00:00Z', attempts: 2, lastError: null },
          { ...unsent, at: '2026-11-23T09:00:00Z', attempts: 1, lastError: null },
        ],
      }),
    );
    expect(entries.slice(0, 5).map(({ title, trouble }) => [title, trouble])).toEqual([
      ['Ordered', false],
      ['₹2,047.20 paid', false],
      ['Confirmation to anjali@kasavu.example', false],
      ['Packed', false],
      ['₹1,739.10 could not be sent back', true],
    ]);
    expect(entries.slice(4).map(({ detail }) => detail)).toEqual([
      'Bent clasp · Razorpay refused it',
      'Mail not sent yet, tried once',
      'Mail not sent yet, tried 3 times',
      'Mail not sent yet, tried 2 times',
      'Mail is about to be sent',
    ]);
    expect(entries.slice(-3).map(({ trouble }) => trouble)).toEqual([true, true, false]);
  });

  describe('names in its history why a payment could not be used', () => {
    const late = (reason: string): AdminOrder =>
      adminOrder({
        payments: adminOrderSchema.shape.payments.parse([
          { paymentId: 'pay_2', amountPaise: 47_000, state: 'refund_due', reason, at: refund.at },
        ]),
        refunds: [{ ...refund, paymentId: 'pay_2', lastError: null, reason }],
      });
    const detailsOf = (order: AdminOrder) =>
      orderTimeline(order).flatMap(({ title, detail }) => (title.includes('₹') ? [detail] : []));

    test.each(paymentReasons)('%s is a sentence, beside the payment and its refund', (reason) => {
      const sentence = reasonInHistory[reason];
      expect(sentence).toMatch(/^[A-Z][^_]{15,}$/u);
      expect(detailsOf(late(reason))).toEqual([`pay_2 · ${sentence}`, sentence]);
    });

    test('a word of a newer database is no riddle', () => {
      const sentence = 'This page does not know the reason yet: reload it';
      expect(detailsOf(late('meteorite'))).toEqual([`pay_2 · ${sentence}`, sentence]);
    });

    test('a refund has what the admin typed, or where it was made', () => {
      const paid = (reason: string) =>
        detailsOf(adminOrder({ refunds: [{ ...refund, reason, lastError: null }] })).at(-1);
      expect(paid('Bent clasp')).toBe('Bent clasp');
      expect(paid('made_at_razorpay')).toBe('Made at Razorpay, outside the shop');
    });
  });
});

describe('reaching the customer', () => {
  test('the address is one block, without empty lines', () => {
    expect(addressBlock(adminOrder({ state: null }))).toBe(
      'Anjali Menon\n14 Temple Road, West\nThrissur 680001\nPhone +91 98470 12345',
    );
  });

  test('a phone number can be called and written to, however it is typed', () =>
    eachRow(
      [
        ['+91 98470 12345', 'tel:+919847012345'],
        ['098470-12345', 'tel:09847012345'],
        ['9847012345', 'tel:9847012345'],
      ],
      ([phone, tel]) => {
        expect(telLink(phone)).toBe(tel);
        expect(whatsappLink(phone, 'Hi & hello')).toBe(
          'https://wa.me/919847012345?text=Hi%20%26%20hello',
        );
      },
    ));

  test('an invalid phone number or address gets no link', () => {
    expect(telLink('call me')).toBeNull();
    expect(whatsappLink('12345', '')).toBeNull();
    expect(mailLink('anjali@kasavu.example?bcc=all@kasavu.example', 'Hello')).toBeNull();
    expect(mailLink('no address', 'Hello')).toBeNull();
    expect(mailLink('o’neil+shop@kasavu.example', 'A & B')).toBe(
      'mailto:o%E2%80%99neil%2Bshop@kasavu.example?subject=A%20%26%20B',
    );
  });
});

test('the address of a list of orders comes back as it went', () => {
  const query = { filter: 'refunds', q: 'anjali & co #1' } as const;
  expect(readOrdersHash(ordersHash(query))).toEqual(query);
  for (const hash of [ordersHash({ filter: 'all', q: '' }), '#orders?filter=nonsense', '#inbox'])
    expect(readOrdersHash(hash)).toEqual({ filter: 'all', q: '' });
});

test('months are Indian, the current one first', () => {
  expect(recentMonths(new Date('2026-12-31T20:00:00Z'), 3)).toEqual([
    { value: '2027-01', label: 'January 2027' },
    { value: '2026-12', label: 'December 2026' },
    { value: '2026-11', label: 'November 2026' },
  ]);
});

test('times are those of India, with the year only when it is another', () => {
  const now = new Date('2026-12-31T17:00:00Z');
  expect(indiaDay('2026-11-20T20:00:00Z')).toBe('21 November 2026');
  expect(indiaMoment('2026-11-20T20:00:00Z', now)).toBe('21 Nov, 1:30\u00A0am');
  expect(indiaMoment('2025-11-20T20:00:00Z', now)).toBe('21 Nov 2025, 1:30\u00A0am');
  expect(indiaMoment('2026-12-31T20:00:00Z', now)).toBe('1 Jan 2027, 1:30\u00A0am');
  expect(indiaMoment('some day')).toBe('some day');
});

test('the dialog of a cancellation names what goes back: what is left, not what was paid', () => {
  const back = (changes: Parameters<typeof adminOrder>[0]) => cancelRefundOf(adminOrder(changes));
  expect(back({ refundedPaise: 0, refundablePaise: 1_000 })).toEqual({
    paise: 1_000,
    name: 'the full amount',
  });
  expect(back({ refundedPaise: 1, refundablePaise: 999 }).name).toBe('the rest of the payment');
  const cash = {
    due: 80_000,
    charge: 0,
    rounding: 0,
    state: 'to_confirm' as const,
    advancePaymentId: 'pay_1',
    until: null,
    confirmedAt: null,
  };
  const atDoor = { cash, totalPaise: 100_000, refundablePaise: 0 };
  expect([
    back({ ...atDoor, advanceLeftPaise: 20_000 }),
    back({ ...atDoor, advanceLeftPaise: 5_000 }),
    back({ ...atDoor, advanceLeftPaise: 0 }).paise,
  ]).toEqual([
    { paise: 20_000, name: 'the advance' },
    { paise: 5_000, name: 'what is left of the advance' },
    0,
  ]);
});
