import { beforeEach, expect, test, vi } from 'vitest';
import { composeMail } from '#core/mail/compose.ts';
import { paymentReasons } from '#domain/orders/payment-reasons.ts';
import { eachRow } from '#tests/each-row.ts';

const order = {
  id: 1042,
  merchant_transaction_id: 'ABC-1042-a1b2c3',
  items: [
    { product_id: 'a', name: 'Temple ring', quantity: 2, price: 60_000, image: null },
    { product_id: 'b', name: 'Jasmine studs', quantity: 1, price: '3456.50', image: null },
  ],
  subtotal_paise: 12_345_650,
  fee_paise: 291_357,
  amount: '126370.07',
  customer_name: 'Anjali Menon',
  customer_email: 'anjali@example.com',
  customer_phone: '+91 98470 12345',
  customer_address: 'House 12, Canal Road',
  customer_city: 'Kochi',
  customer_postal_code: '682001',
  notes: null,
  payment_id: 'pay_00000000000001',
  fulfilment: 'new',
};

beforeEach(() => {
  vi.stubEnv('URL', 'https://shop.example');
  vi.stubEnv('SUPABASE_URL', 'https://project.supabase.co');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'sb_secret_of_the_test');
});

const visible = (html: string): string =>
  html.replaceAll(/<[^>]+>/gu, ' ').replaceAll(/\s+/gu, ' ');

const refund = { payment_id: 'pay_00000000000002', amount_paise: 12_637_007 };

const parcel = {
  carrier: 'India Post',
  tracking_number: 'EM123456789IN',
  tracking_url: 'https://track.example/EM123456789IN',
};

test('a letter shows the images of the shop’s own project, the steps that are done, and one button', () => {
  const items = ['rings/a b.webp', 'https://elsewhere.example/x.png', null].map((image, index) => ({
    ...order.items[0],
    name: `Ring ${String(index)}`,
    image,
  }));
  const paid = {
    ...order,
    items,
    status: 'COMPLETED',
    state: 'paid',
    kind: 'now',
    paid_at: '2026-11-20T10:00:00Z',
  };
  const { html } = composeMail('order_confirmation', { order: paid, payload: {} });
  const images = [...html.matchAll(/<img[^>]* src="([^"]+)"/gu)].map(([, address]) => address);
  const source = encodeURIComponent(
    'https://project.supabase.co/storage/v1/object/public/product-images/rings/a%20b.webp',
  );
  expect(images).toEqual([
    'https://shop.example/favicon.png',
    `https://shop.example/.netlify/images?url=${source}&amp;w=128&amp;fm=jpg&amp;q=75`,
  ]);
  expect(visible(html)).toMatch(/Paid Fri 20 Nov Packed Shipped Delivered/u);
  expect(html.match(/>Follow your order<\/a/gu)).toHaveLength(1);
});

test('a tracking link opens nothing else than a page of the carrier', () =>
  eachRow(
    [null, 'javascript:alert(1)', 'http://track.example', 'https://track.example/"><img src=x>'],
    (link) => {
      const mail = composeMail('shipped_notice', {
        order,
        payload: { ...parcel, tracking_url: link },
      });
      expect(mail.html).not.toMatch(/javascript:|<img src=x|href="http:\/\/track/u);
      expect(mail.text).toContain('EM123456789IN');
    },
  ));

test('an imported order, whose items are in a shape of their own, can be sent, refunded and cancelled by mail', () => {
  const imported = {
    id: 7,
    items: null,
    products: '[{"raw": {"name": "Old chain", "quantity": "2"}}]',
    customer_name: null,
  };
  expect(composeMail('shipped_notice', { order: imported, payload: parcel }).text).toContain(
    'Old chain × 2',
  );
  expect(composeMail('shipped_notice', { order: { id: 7 }, payload: parcel }).text).not.toContain(
    'In the parcel',
  );
  const payload = { payment_id: 'pay_00000000000002', amount_paise: 50_000 };
  expect(
    composeMail('refund_notice', {
      order: imported,
      payload: { ...payload, reason: 'partial_refund' },
    }).text,
  ).toContain('Order #7');
  expect(composeMail('order_cancelled', { order: imported, payload }).text).toContain(
    '₹500.00 goes back to you',
  );
});

test('the mail about a cancelled order names who ended it', () => {
  const cancelled = { payment_id: 'pay_00000000000002', amount_paise: 100_000 };
  const ended = { why: 'cancelled', returned_paise: 0, kept_paise: 0 };
  for (const [kind, payload] of [
    ['order_cancelled', cancelled],
    ['cash_order_ended', ended],
  ] as const) {
    const textOf = (by: object) =>
      composeMail(kind, { order, payload: { ...payload, ...by } }).text;
    expect(textOf({ by: 'customer' })).toMatch(/You cancelled order #\d+\. It will not be sent\./u);
    expect(textOf({ by: 'customer' })).not.toContain('sorry');
    expect(textOf({})).toMatch(/We have cancelled order #\d+, so it will not be sent\./u);
  }
});

test('each mail of an order that is on its way says when it comes', () => {
  const days = /between \w{3} \d+ \w{3} and \w{3} \d+ \w{3}\./u;
  const paid = {
    ...order,
    state: 'paid',
    kind: 'now',
    status: 'COMPLETED',
    paid_at: '2026-11-20T10:00:00Z',
  };
  const cash = { ...paid, payment_id: null, status: 'PENDING', cash_paise: 50_000, paid_at: null };
  const confirmed = {
    ...cash,
    state: 'due',
    kind: 'door_advance',
    cash_confirmed_at: '2026-11-20T12:00:00Z',
  };
  const reserved = {
    ...cash,
    state: 'to_confirm',
    kind: 'door_advance',
    hold_expires_at: '2026-11-21T10:00:00Z',
    created_at: '2026-11-20T10:00:00Z',
  };
  for (const [kind, row] of [
    ['order_confirmation', paid],
    ['shipped_notice', paid],
    ['shipped_notice', confirmed],
    ['cash_order_placed', reserved],
    ['cash_order_confirmed', confirmed],
  ] as const)
    expect(composeMail(kind, { order: row, payload: parcel }).text, kind).toMatch(days);
  expect(composeMail('cash_order_placed', { order: reserved, payload: {} }).text).toContain(
    'Once it is confirmed, we expect it between',
  );
});

test('a cancellation of which all went back before promises no money a second time', () => {
  const mail = composeMail('order_cancelled', {
    order,
    payload: { payment_id: 'pay_00000000000002', amount_paise: 0 },
  });
  expect(mail.text).toContain('has already gone back to you');
  expect(mail.text).not.toContain('₹');
});

test('a mail about a refund says why', () =>
  eachRow(
    [
      ['refund_notice', 'partial_refund', 'We are sending you back'],
      ['refund_notice', 'final_refund', 'all that you paid for it has been returned'],
      ['refund_notice', 'order_cancelled', 'arrived after the order had been cancelled'],
      ['refund_alert', 'order_cancelled', 'that you had cancelled'],
      ['refund_notice', 'stock_gone', 'the products were sold meanwhile'],
      ['refund_notice', 'price_changed', 'its price has changed since'],
      ['refund_notice', 'not_sold', '/cart'],
      ['refund_alert', 'person_removed', 'The customer has NOT been notified'],
      ['refund_alert', 'refund_waits', 'Nothing is refunded yet'],
      ['refund_notice', 'second_payment', 'Your order stands'],
      ['refund_alert', 'stock_gone', 'the products were sold meanwhile'],
      ['refund_alert', 'amount_mismatch', 'The customer has NOT been notified'],
      ['refund_alert', 'refund_failed', 'by hand in the Razorpay dashboard'],
    ],
    ([kind, reason, words]) => {
      const mail = composeMail(kind, { order, payload: { ...refund, reason } });
      expect(mail.text).toContain(words);
      expect(mail.text).toContain('₹1,26,370.07');
      expect(mail.text).toContain('pay_00000000000002');
      if (kind === 'refund_alert')
        expect(composeMail(kind, { order: null, payload: { ...refund, reason } }).text).toContain(
          'none of this shop',
        );
    },
  ));

test('a mail about a refund has a sentence for every reason, and a safe one for a word of a newer database', async () => {
  const textOf = (kind: string, reason: string) =>
    composeMail(kind, { order, payload: { ...refund, reason } }).text;
  const unknown = { refund_notice: 'We could not use your payment', refund_alert: 'look at' };
  for (const [kind, sentence] of Object.entries(unknown)) {
    expect(textOf(kind, 'meteorite')).toContain(sentence);
    expect(textOf(kind, 'meteorite')).not.toMatch(/meteorite|automatically/u);
    await eachRow(paymentReasons, (reason) => {
      expect(textOf(kind, reason)).toContain('₹1,26,370.07');
      expect(textOf(kind, reason)).not.toContain(reason);
    });
  }
});

test('a customer’s words come back as text', () =>
  eachRow(
    [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      '</td></table><h1>',
      '&lt;b&gt;',
    ],
    (words) => {
      const hostile = {
        ...order,
        customer_name: words,
        customer_address: words,
        notes: words,
        items: [{ name: words, quantity: 1, price: 1 }],
      };
      const payload = { carrier: words, tracking_number: words, tracking_url: null };
      for (const kind of ['order_confirmation', 'order_notice', 'shipped_notice']) {
        const mail = composeMail(kind, { order: hostile, payload });
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
  ));

test.each(['text', 'html'] as const)(
  'several units have their sum and the price of each, one unit one price alone, as %s',
  (part) => {
    const words = visible(composeMail('order_confirmation', { order, payload: {} })[part]);
    for (const fact of [
      'Temple ring × 2 (₹60,000.00 each)',
      '₹1,20,000.00',
      '₹3,456.50',
      'Free',
      '₹2,913.57',
      '₹1,26,370.07',
    ])
      expect(words).toContain(fact);
    expect(words).toContain('Jasmine studs');
    expect(words).not.toMatch(/Jasmine studs[^₹]*\(/u);
  },
);

test('a kind without a composer, and an order that cannot be read, throw instead of sending nonsense', () => {
  expect(() => composeMail('toString', { order, payload: {} })).toThrow('Unknown kind of mail');
  expect(() => composeMail('order_confirmation', { order: null, payload: {} })).toThrow();
  expect(() =>
    composeMail('order_confirmation', { order: { ...order, items: [{}] }, payload: {} }),
  ).toThrow();
});
