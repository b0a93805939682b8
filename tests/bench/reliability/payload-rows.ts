import { randomUUID } from 'node:crypto';
import { insertRows } from '#tests/browser/support/running-shop.ts';
import { paidOrderRow } from '#tests/bench/support/purchase.ts';

/** A payload in a product, and in an order of it. */
export interface Planted {
  payload: string;
  product: string;
  order: number;
}

const attributes = ['metal', 'plating', 'stone', 'size', 'care', 'origin', 'hsn'];
const categories = ['rings', 'necklaces', 'bracelets', 'earrings', 'watches'];
const productOf = (payload: string, id: string, index: number): Record<string, unknown> => ({
  id,
  name: payload,
  description: payload,
  category: categories[index % categories.length],
  price: 100 + index,
  offerPrice: 50 + index,
  stock: 5,
  images: [`products/${payload}.webp`, payload],
  image_alts: [payload, payload],
  attributes: Object.fromEntries(attributes.map((name) => [name, payload])),
});

const texts = [
  'customer_name',
  'customer_email',
  'customer_phone',
  'customer_address',
  'customer_city',
  'customer_postal_code',
  'notes',
  'carrier',
  'cancel_reason',
  'payment_method',
];
const orderOf = ({ payload, product, order: id }: Planted, customer: string) =>
  paidOrderRow({
    ...Object.fromEntries(texts.map((name) => [name, payload])),
    id,
    user_id: customer,
    tracking_number: payload.slice(0, 60),
    tracking_url: `https://elsewhere.example/${payload}`,
    items: [{ product_id: product, name: payload, quantity: 1, price: 100, image: payload }],
    fulfilment: 'shipped',
    shipped_at: new Date(),
    packed_at: new Date(),
  });
/** How many fields of products and orders carry a payload: besides these lists four of each. */
export const fieldCount = attributes.length + texts.length + 8;

/** Puts each payload into every text of a product, of a paid and shipped order of this customer, and of a contact message. */
export async function plant(payloads: readonly string[], customer: string): Promise<Planted[]> {
  const planted = payloads.map((payload, index) => ({
    payload,
    product: randomUUID(),
    order: 900_000 + index,
  }));
  await insertRows(
    'products',
    planted.map(({ payload, product }, index) => productOf(payload, product, index)),
  );
  await insertRows(
    'orders',
    planted.map((each) => orderOf(each, customer)),
  );
  await insertRows(
    'contact_messages',
    payloads.map((text) => ({ name: text, email: text, subject: text, message: text })),
  );
  return planted;
}
