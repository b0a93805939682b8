import { expect, test } from 'vitest';
import { composeMail } from '../../netlify/server/mail/compose.ts';

const order = {
  id: 1042,
  merchant_transaction_id: 'KSV-1042-a1b2c3',
  items: [
    { product_id: 'a', name: 'Temple ring', quantity: 2, price: 60_000, image: null },
    { product_id: 'b', name: 'Jasmine studs', quantity: 1, price: '3456.50', image: null },
  ],
  subtotal_paise: 12_345_650,
  fee_paise: 291_357,
  total_paise: 12_637_007,
  customer_name: 'Anjali Menon',
  customer_email: 'anjali@example.com',
  customer_phone: '+91 98470 12345',
  customer_address: 'House 12, Canal Road',
  customer_city: 'Kochi',
  customer_postal_code: '682001',
  notes: null,
  payment_id: 'pay_00000000000001',
};

const visible = (html: string): string => html.replaceAll(/<[^>]+>/gu, ' ').replaceAll(/\s+/gu, ' ');

test.each(['text', 'html'] as const)(
  'the buyer is told what was bought, for how much, where it goes and what comes next, as %s',
  (part) => {
    const mail = composeMail('order_confirmation', { order, payload: {} });
    expect(mail.subject).toBe('Order #1042 confirmed – Kasavu');
    const words = visible(mail[part]);
    for (const fact of [
      'Anjali Menon',
      '1042',
      'KSV-1042-a1b2c3',
      'pay_00000000000001',
      'Temple ring × 2 (₹60,000.00 each)',
      '₹1,20,000.00',
      'Jasmine studs',
      '₹3,456.50',
      'Free',
      'Platform Fee (incl. GST)',
      '₹2,913.57',
      '₹1,26,370.07',
      'House 12, Canal Road',
      'Kochi 682001',
      '1-2 business days',
      'care@kasavu.example',
    ]) {
      expect(words).toContain(fact);
    }
  },
);

test('the owner is told what to pack and where to send it', () => {
  const mail = composeMail('order_notice', { order: { ...order, notes: 'Ring twice' }, payload: {} });
  expect(mail.subject).toBe('New order #1042: ₹1,26,370.07');
  for (const fact of [
    'Temple ring × 2',
    'Canal Road',
    '+91 98470 12345',
    'anjali@example.com',
    'Ring twice',
  ]) {
    expect(mail.text).toContain(fact);
    expect(visible(mail.html)).toContain(fact);
  }
});

const refund = { payment_id: 'pay_00000000000002', amount_paise: 12_637_007 };

test.each([
  ['refund_notice', 'stock_gone', 'arrived after the order could still be kept'],
  ['refund_notice', 'second_payment', 'Your order stands'],
  ['refund_alert', 'stock_gone', 'the pieces were sold meanwhile'],
  ['refund_alert', 'amount_mismatch', 'The buyer has NOT been told'],
  ['refund_alert', 'refund_failed', 'by hand in the Razorpay dashboard'],
])('%s for %s says why', (kind, reason, words) => {
  const mail = composeMail(kind, { order, payload: { ...refund, reason } });
  expect(mail.text).toContain(words);
  expect(mail.text).toContain('₹1,26,370.07');
  expect(mail.text).toContain('pay_00000000000002');
});

test('an alert about a payment of no order of ours can be written too', () => {
  expect(
    composeMail('refund_alert', { order: null, payload: { ...refund, reason: 'stock_gone' } }).text,
  ).toContain('none of this shop');
});

test.each(['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '</td></table><h1>', '&lt;b&gt;'])(
  'a buyer who writes %j gets it back as text',
  (words) => {
    const hostile = {
      ...order,
      customer_name: words,
      customer_address: words,
      notes: words,
      items: [{ name: words, quantity: 1, price: 1 }],
    };
    for (const kind of ['order_confirmation', 'order_notice']) {
      const mail = composeMail(kind, { order: hostile, payload: {} });
      expect(mail.html).not.toContain(words);
      expect(mail.html).toContain(
        words
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;')
          .replaceAll('"', '&quot;'),
      );
    }
  },
);

test('a kind without a composer, and an order that cannot be read, throw instead of sending nonsense', () => {
  expect(() => composeMail('toString', { order, payload: {} })).toThrow('Unknown kind of mail');
  expect(() => composeMail('order_confirmation', { order: null, payload: {} })).toThrow();
  expect(() =>
    composeMail('order_confirmation', { order: { ...order, items: [{}] }, payload: {} }),
  ).toThrow();
});
