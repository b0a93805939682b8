import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { noticeInputSchema } from '../../../src/domain/admin/notice-input.ts';
import { salesChannels } from '../../../src/domain/admin/orders/new-order.ts';
import {
  cancelRequestSchema,
  fulfilmentChangeSchema,
  minRefundPaise,
} from '../../../src/domain/admin/orders/order-requests.ts';
import {
  deletedDays,
  productInputSchema,
} from '../../../src/domain/admin/products/product-input.ts';
import { codePattern } from '../../../src/domain/cart/cart-summary.ts';
import { categories } from '../../../src/domain/catalogue/product.ts';
import { maxWishlist } from '../../../src/domain/catalogue/wishlist.ts';
import {
  contactSchema,
  customerDetailsSchema,
  profileFormSchema,
} from '../../../src/domain/checkout/forms.ts';
import { shop } from '../../../src/shop.config.ts';
import { eachRow } from '../../each-row.ts';
import { useDatabase } from '../support/postgres.ts';

/* Limits that SQL and TypeScript both state: SQL's number is read from the migrated database. */
const database = await useDatabase();

const definitionOf = (name: string): Promise<string> =>
  database.value(
    `select string_agg(pg_get_functiondef(oid), E'\\n') as text from pg_proc
       where proname = $1 and pronamespace in ('public'::regnamespace, 'private'::regnamespace)`,
    name,
  );
const checksOf = (table: string): Promise<string> =>
  database.value(
    `select string_agg(pg_get_constraintdef(oid), E'\\n') as text from pg_constraint
       where conrelid = ('public.' || $1)::regclass and contype = 'c'`,
    table,
  );

/** The number that a pattern finds in a text. Throws when it finds none. */
function numberIn(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`${String(pattern)} is not in ${text}`);
  return Number(found);
}
const maxLength = (checks: string, column: string): number =>
  numberIn(checks, new RegExp(`char_length\\(${column}\\) <= (\\d+)`, 'u'));

/** Whether a form takes `value` in a field of an input that is right in all others. */
const takes =
  (schema: z.ZodMiniType, valid: Readonly<Record<string, unknown>>, field: string) =>
  (value: unknown): boolean =>
    schema.safeParse({ ...valid, [field]: value }).success;
const textOf = (field: string, length: number): string =>
  field === 'email' ? `${'a'.repeat(length - 12)}@example.com` : '1'.repeat(length);

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

test('a form takes a text as long as its column or function does, and no longer', async () => {
  const [checkCustomer, profiles, messages, products, notices, orders] = await Promise.all([
    definitionOf('check_customer'),
    checksOf('profiles'),
    checksOf('contact_messages'),
    checksOf('products'),
    checksOf('shop_notice'),
    checksOf('orders'),
  ]);
  const ofCustomer = (field: string): number =>
    numberIn(checkCustomer, new RegExp(`\\('${field}', (\\d+)\\)`, 'u'));
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
      ['notes', numberIn(checkCustomer, /'notes'\) > (\d+)/u), customerDetailsSchema, customer],
      [
        'giftNote',
        numberIn(checkCustomer, /'gift_note'\) > (\d+)/u),
        customerDetailsSchema,
        customer,
      ],
      ['full_name', maxLength(profiles, 'full_name'), profileFormSchema, profile],
      ['address', maxLength(profiles, 'address'), profileFormSchema, profile],
      ['city', maxLength(profiles, 'city'), profileFormSchema, profile],
      ['postal_code', maxLength(profiles, 'postal_code'), profileFormSchema, profile],
      ['name', maxLength(messages, 'name'), contactSchema, contact],
      ['email', maxLength(messages, 'email'), contactSchema, contact],
      ['subject', maxLength(messages, 'subject'), contactSchema, contact],
      ['message', maxLength(messages, 'message'), contactSchema, contact],
      ['name', maxLength(products, 'name'), productInputSchema, product],
      ['description', maxLength(products, 'description'), productInputSchema, product],
      ['message', maxLength(notices, 'message'), noticeInputSchema, notice],
      ['carrier', maxLength(orders, 'carrier'), fulfilmentChangeSchema, shipped],
      ['trackingNumber', maxLength(orders, 'tracking_number'), fulfilmentChangeSchema, shipped],
      ['reason', maxLength(orders, 'cancel_reason'), cancelRequestSchema, cancel],
    ] as const,
    ([field, max, schema, valid]) => {
      const take = takes(schema, valid, field);
      expect([take(textOf(field, max)), take(textOf(field, max + 1))]).toEqual([true, false]);
    },
  );
  // The profile's phone has room for older rows; the form asks for less.
  expect(takes(profileFormSchema, profile, 'phone')('1'.repeat(21))).toBe(false);
});

test('amounts, quantities and days have the same limits in SQL and TypeScript', async () => {
  const [products, codes, notices] = await Promise.all([
    checksOf('products'),
    checksOf('discount_codes'),
    checksOf('shop_notice'),
  ]);
  const placeCart = await definitionOf('place_cart');
  const { limits } = shop;
  expect({
    minAmountPaise: numberIn(placeCart, /v_total not between (\d+) and \d+/u),
    maxAmountPaise: numberIn(placeCart, /v_total not between \d+ and (\d+)/u),
    cartLines: numberIn(
      await definitionOf('cart_lines'),
      /jsonb_array_length\(p_lines\) not between 1 and (\d+)/u,
    ),
    imagesPerProduct: numberIn(products, /cardinality\(images\) <= (\d+)/u),
    maxPricePaise: numberIn(products, /price <= \(?(\d+)/u) * 100,
    minCodePaise: numberIn(codes, /amount_paise >= (\d+)/u),
    maxCodePaise: numberIn(codes, /amount_paise <= (\d+)/u),
    minRefundPaise: numberIn(await definitionOf('request_refund'), /p_amount_paise < (\d+)/u),
    maxWishlist: numberIn(await definitionOf('limit_wishlist'), /offset (\d+)/u),
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
    maxWishlist,
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

test('a code, a category and a channel are the same words in SQL and TypeScript', async () => {
  const list = (column: string, words: readonly string[]): string =>
    `${column} = ANY (ARRAY[${words.map((word) => `'${word}'::text`).join(', ')}])`;
  expect(await checksOf('discount_codes')).toContain(`'${codePattern.source}'`);
  expect(await checksOf('products')).toContain(list('category', categories));
  expect(await checksOf('orders')).toContain(list('channel', salesChannels));
});

test('a mail is given up after as many attempts wherever SQL says so', async () => {
  const counts = await database.value<
    string[]
  >(`select array_agg(distinct found[1]) as counts from pg_proc p, regexp_matches(p.prosrc, 'm\\.attempts (?:<|>=) (\\d+)', 'g') found
     where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)`);
  expect(counts).toEqual(['20']);
});
