import { expect, test } from 'vitest';
import { createOrderRequestSchema } from '#core/checkout/create-order-request.ts';
import { noticeInputSchema } from '#domain/admin/notice.ts';
import { salesChannels } from '#domain/orders/sales-channel.ts';
import { orderDetailsSchema } from '#domain/admin/orders/order-details.ts';
import {
  cancelRequestSchema,
  fulfilmentChangeSchema,
  minRefundPaise,
} from '#domain/admin/orders/order-requests.ts';
import { deletedDays, productInputSchema } from '#domain/admin/products/product-input.ts';
import { codePattern } from '#domain/cart/discount-terms.ts';
import { checkoutSettings } from '#domain/checkout/checkout-settings.ts';
import {
  contactSchema,
  customerDetailsSchema,
  newsletterSchema,
  profileFormSchema,
  stockAlertSchema,
} from '#domain/checkout/forms.ts';
import { countedForDays } from '#domain/retention.ts';
import { shop } from '#settings/shop.ts';
import { eachRow } from '#tests/each-row.ts';
import { limitsOf, maxLength, numberIn, takes } from '#tests/database/support/limits.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { useSampleTax } from '#tests/sample-tax.ts';

useSampleTax();

/* Limits that SQL and TypeScript both state: SQL's number is read from the migrated database. */
const database = await useDatabase();

const { definitionOf, checksOf } = limitsOf(database);
const textOf = (field: string, length: number): string =>
  field === 'email'
    ? `${'a'.repeat(length - 12)}@example.com`
    : '9847012365'.repeat(Math.ceil(length / 10)).slice(0, length);

const customer = {
  name: 'Asha Menon',
  email: 'asha@example.com',
  phone: '9876543210',
  address: '12 Temple Road',
  city: 'Kochi',
  postalCode: '682001',
  notes: '',
};
const profile = { full_name: 'Asha Menon', phone: '', address: '', city: '', postal_code: '' };
const contact = { name: 'Asha', email: 'asha@example.com', subject: '', message: 'Hello' };
const product = {
  name: 'Ring',
  description: '',
  category: 'rings',
  price: 10_000,
  offerPrice: null,
  stock: 1,
  hidden: false,
  images: [],
  imageAlts: [],
  attributes: {},
};
const notice = {
  message: 'Closed for Onam',
  first_day: '2026-11-20',
  last_day: '2026-11-22',
  closes_checkout: false,
  extra_days: 2,
};

const lineOf = (quantity = 1, id: string = crypto.randomUUID()) => ({ product_id: id, quantity });
const request = {
  customer_name: customer.name,
  customer_email: customer.email,
  customer_phone: customer.phone,
  customer_address: customer.address,
  customer_city: customer.city,
  customer_postal_code: customer.postalCode,
  products: [lineOf()],
  total_amount: 100,
};
test('a form takes a text as long as its column or function does, and no longer', async () => {
  const column = async (table: string, name: string): Promise<number> =>
    maxLength(await checksOf(table), name);
  const [checkCustomer, remember] = [
    await definitionOf('check_customer'),
    await definitionOf('remember_details'),
  ];
  const remembered = (name: string): number =>
    numberIn(remember, new RegExp(`p\\.${name}, (\\d+)\\)`, 'u'));
  const ofCustomer = (field: string): number =>
    numberIn(checkCustomer, new RegExp(`\\('${field}', (\\d+)\\)`, 'u'));
  const alert = { email: customer.email, product_id: crypto.randomUUID() };
  const shipped = { state: 'shipped', carrier: 'DTDC', trackingNumber: '' };
  const cancel = { key: crypto.randomUUID(), reason: 'Asked', restock: true };
  await eachRow(
    [
      ['name', ofCustomer('name'), customerDetailsSchema, customer],
      ['email', ofCustomer('email'), customerDetailsSchema, customer],
      ['phone', ofCustomer('phone'), customerDetailsSchema, customer],
      ['address', ofCustomer('address'), customerDetailsSchema, customer],
      ['city', ofCustomer('city'), customerDetailsSchema, customer],
      ['postalCode', ofCustomer('postal_code'), customerDetailsSchema, customer],
      ['notes', ofCustomer('notes'), customerDetailsSchema, customer],
      ['giftNote', ofCustomer('gift_note'), customerDetailsSchema, customer],
      ['recipientName', ofCustomer('recipient_name'), customerDetailsSchema, customer],
      ['recipientName', await column('orders', 'recipient_name'), customerDetailsSchema, customer],
      ['giftNote', await column('orders', 'gift_note'), customerDetailsSchema, customer],
      ['customer_name', ofCustomer('name'), createOrderRequestSchema, request],
      ['customer_phone', ofCustomer('phone'), createOrderRequestSchema, request],
      ['customer_address', ofCustomer('address'), createOrderRequestSchema, request],
      ['customer_city', ofCustomer('city'), createOrderRequestSchema, request],
      ['customer_postal_code', ofCustomer('postal_code'), createOrderRequestSchema, request],
      // What an order leaves in the profile is what the profile's own form takes.
      ['full_name', remembered('full_name'), profileFormSchema, profile],
      ['phone', remembered('phone'), profileFormSchema, profile],
      ['address', remembered('address'), profileFormSchema, profile],
      ['city', remembered('city'), profileFormSchema, profile],
      ['postal_code', remembered('postal_code'), profileFormSchema, profile],
      ['full_name', await column('profiles', 'full_name'), profileFormSchema, profile],
      ['address', await column('profiles', 'address'), profileFormSchema, profile],
      ['city', await column('profiles', 'city'), profileFormSchema, profile],
      ['postal_code', await column('profiles', 'postal_code'), profileFormSchema, profile],
      ['name', await column('contact_messages', 'name'), contactSchema, contact],
      ['email', await column('contact_messages', 'email'), contactSchema, contact],
      ['subject', await column('contact_messages', 'subject'), contactSchema, contact],
      ['message', await column('contact_messages', 'message'), contactSchema, contact],
      ['name', await column('products', 'name'), productInputSchema, product],
      ['description', await column('products', 'description'), productInputSchema, product],
      ['message', await column('shop_notice', 'message'), noticeInputSchema, notice],
      ['email', await column('subscribers', 'email'), newsletterSchema, {}],
      ['email', await column('stock_alerts', 'email'), stockAlertSchema, alert],
      ['size', await column('stock_alerts', 'size'), stockAlertSchema, alert],
      ['carrier', await column('orders', 'carrier'), fulfilmentChangeSchema, shipped],
      [
        'trackingNumber',
        await column('orders', 'tracking_number'),
        fulfilmentChangeSchema,
        shipped,
      ],
      ['reason', await column('orders', 'cancel_reason'), cancelRequestSchema, cancel],
    ] as const,
    ([field, max, schema, valid]) => {
      const take = takes(schema, valid, field);
      expect([take(textOf(field, max)), take(textOf(field, max + 1))]).toEqual([true, false]);
    },
  );
  const takesNote = (to: string): boolean =>
    orderDetailsSchema.safeParse({ adminNote: { from: '', to } }).success;
  const longestNote = await column('orders', 'admin_note');
  expect([takesNote('1'.repeat(longestNote)), takesNote('1'.repeat(longestNote + 1))]).toEqual([
    true,
    false,
  ]);
  // The profile's phone has room for older rows; the form asks for less.
  expect(takes(profileFormSchema, profile, 'phone')('1'.repeat(21))).toBe(false);
});

test('amounts, quantities and days have the same limits in SQL and TypeScript', async () => {
  const [products, codes, notices] = await Promise.all([
    checksOf('products'),
    checksOf('discount_codes'),
    checksOf('shop_notice'),
  ]);
  const priceCart = await definitionOf('price_cart');
  const { limits } = shop;
  expect({
    minAmountPaise: numberIn(priceCart, /v_total not between (\d+) and \d+/u),
    maxAmountPaise: numberIn(priceCart, /v_total not between \d+ and (\d+)/u),
    cartLines: numberIn(
      await definitionOf('cart_lines'),
      /jsonb_array_length\(p_lines\) not between 1 and (\d+)/u,
    ),
    imagesPerProduct: numberIn(products, /cardinality\(images\) <= (\d+)/u),
    maxPricePaise: numberIn(products, /price <= \(?(\d+)/u) * 100,
    minCodePaise: numberIn(codes, /amount_paise >= (\d+)/u),
    maxCodePaise: numberIn(codes, /amount_paise <= (\d+)/u),
    minRefundPaise: numberIn(await definitionOf('request_refund'), /p_amount_paise < (\d+)/u),
    deletedDays: numberIn(await definitionOf('end_deleted_products'), /interval '(\d+) days'/u),
  }).toEqual({
    minAmountPaise: limits.minAmountPaise,
    maxAmountPaise: limits.maxAmountPaise,
    cartLines: limits.cartLines,
    imagesPerProduct: limits.imagesPerProduct,
    maxPricePaise: limits.maxAmountPaise,
    minCodePaise: limits.minAmountPaise,
    maxCodePaise: limits.maxAmountPaise,
    minRefundPaise,
    deletedDays,
  });
  await eachRow(
    [
      ['stock', numberIn(products, /stock <= (\d+)/u), productInputSchema, product],
      ['extra_days', numberIn(notices, /extra_days <= (\d+)/u), noticeInputSchema, notice],
    ] as const,
    ([field, max, schema, valid]) => {
      const take = takes(schema, valid, field);
      expect([take(max), take(max + 1)]).toEqual([true, false]);
    },
  );
});

test('a request and SQL take as many lines and units', async () => {
  const { cartLines, unitsPerOrder } = shop.limits;
  const cartLinesSql = await definitionOf('cart_lines');
  const maxUnits = numberIn(cartLinesSql, /::integer not between 1 and (\d+)/u);
  const maxSize = numberIn(cartLinesSql, /'size'\) not between 1 and (\d+)/u);
  const lines = (count: number) => Array.from({ length: count }, () => lineOf());
  const take = takes(createOrderRequestSchema, request, 'products');
  const sized = (length: number) => [{ ...lineOf(), size: '1'.repeat(length) }];
  expect([
    [take(lines(cartLines)), take(lines(cartLines + 1))],
    [take([lineOf(maxUnits)]), take([lineOf(maxUnits + 1)])],
    [take(sized(maxSize)), take(sized(maxSize + 1))],
  ]).toEqual([
    [true, false],
    [true, false],
    [true, false],
  ]);

  const many = await database.addProduct({ stock: 100 });
  const person = await database.addCustomer();
  const place = async (quantity: number) =>
    (await database.place(person, [{ product_id: many, quantity }], { maxUnits: unitsPerOrder }))
      .outcome;
  expect([await place(unitsPerOrder), await place(unitsPerOrder + 1)]).toEqual([
    'placed',
    'too_many_units',
  ]);
});

test('the wait that a customer reads is the limit of unpaid holds, in the window that the policy names', async () => {
  expect(
    await database.query(
      `select scope, seconds, most from public.cost_limits where effect = 'unpaid_hold'`,
    ),
  ).toEqual([{ scope: 'account', seconds: 7_200, most: checkoutSettings.maxHoldSeconds }]);
});

test('the privacy page names how long uses count for a person, and the sweep deletes them after that', async () => {
  const days = await database.query<{ effect: string; days: number }>(
    `select effect, max(seconds) / 86400 as days from public.cost_limits
     where effect in (select l.effect from public.cost_limits l where l.scope <> 'all') group by effect having max(seconds) > 86400 order by effect`,
  );
  expect(days).toEqual([
    { effect: 'cash_last_unit', days: countedForDays.cashOrders },
    { effect: 'cash_order', days: countedForDays.cashOrders },
    { effect: 'fee_lost', days: countedForDays.refunds },
  ]);
  const rows = [
    ['form_try', countedForDays.others],
    ['cash_last_unit', countedForDays.cashOrders],
    ['cash_order', countedForDays.cashOrders],
    ['fee_lost', countedForDays.refunds],
  ] as const;
  for (const [effect, kept] of rows)
    for (const hours of [-1, 1])
      await database.query(
        `insert into public.costs (effect, scope, key, at) values ($1, 'network', $2, now() - make_interval(days => $3, hours => $4))`,
        ...[effect, `${effect} ${hours > 0 ? 'old' : 'kept'}`, kept, hours],
      );
  await database.value('select public.note_sweep()');
  expect(
    await database.column(
      `select key from public.costs where key like '% old' or key like '% kept' order by key`,
    ),
  ).toEqual(['cash_last_unit kept', 'cash_order kept', 'fee_lost kept', 'form_try kept']);
});

test('a code and a channel are the same words in SQL and TypeScript', async () => {
  const list = (column: string, words: readonly string[]): string =>
    `${column} = ANY (ARRAY[${words.map((word) => `'${word}'::text`).join(', ')}])`;
  expect(await checksOf('discount_codes')).toContain(`'${codePattern.source}'`);
  expect(await checksOf('orders')).toContain(list('channel', salesChannels));
});

test('a mail is given up after as many attempts wherever SQL says so', async () => {
  const counts = await database.value<
    string[]
  >(`select array_agg(distinct found[1]) as counts from pg_proc p, regexp_matches(p.prosrc, 'm\\.attempts (?:<|>=) (\\d+)', 'g') found
     where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)`);
  expect(counts).toEqual(['20']);
});
