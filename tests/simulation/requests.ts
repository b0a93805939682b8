import adminEndpoint from '#netlify/functions/admin.ts';
import callbackEndpoint from '#netlify/functions/payment-callback.ts';
import createOrderEndpoint from '#netlify/functions/payment-create-order.ts';
import ownCancelEndpoint from '#netlify/functions/order-cancel.ts';
import sweepEndpoint from '#netlify/functions/payment-sweep.ts';
import verifyEndpoint from '#netlify/functions/payment-verify.ts';
import webhookEndpoint from '#netlify/functions/payment-webhook.ts';
import type { PaymentWay } from '#domain/sums/payment-way.ts';
import { platformFee } from '#domain/sums/platform-fee.ts';
import { shop } from '#settings/shop.ts';
import { sampleCash } from '#tests/sample-cash.ts';
import type { Process } from './processes.ts';
import type { Delivery } from './razorpay.ts';
import type { Answer, Customer, World } from './world.ts';

export interface Product {
  id: string;
  /** Paise. */
  price: number;
  stock: number;
  /** Two, or none. */
  sizes: readonly string[];
}

export interface Line {
  product: Product;
  size?: string;
  quantity: number;
}

export type CheckoutResponse = Record<
  'razorpay_order_id' | 'razorpay_payment_id' | 'razorpay_signature',
  string
>;
type WhenDone = (answer: Answer) => void;

const customerDetails = {
  customer_name: 'Anjali Menon',
  customer_email: 'anjali@example.com',
  customer_phone: '+91 98470 12345',
  customer_address: 'House 12, Canal Road, Fort Kochi',
  customer_city: 'Kochi',
  customer_postal_code: '682001',
  notes: '',
};
const json = { 'content-type': 'application/json' };

/** The cart's total, in paise. */
function totalOf(lines: readonly Line[], way: PaymentWay): number {
  const subtotal = lines.reduce((sum, { product, quantity }) => sum + product.price * quantity, 0);
  return way === 'door'
    ? subtotal + sampleCash.charge
    : subtotal + platformFee(subtotal, shop.platformFeeBps);
}

/** Puts a product into the catalogue. */
export async function addProduct(world: World, product: Product): Promise<void> {
  await world.database.sql(
    `insert into public.products (id, name, category, price, stock, sizes) values ($1, 'Temple ring', 'rings', $2, $3, $4::jsonb)`,
    ...[product.id, product.price / 100, product.stock],
    JSON.stringify(
      product.sizes.map((size, index) => ({
        size,
        stock: Math.floor((product.stock + index) / 2),
      })),
    ),
  );
}

export function createOrder(
  world: World,
  customer: Customer,
  key: string,
  lines: readonly Line[],
  whenDone?: WhenDone,
  way: PaymentWay = 'now',
): Process {
  const products = lines.map(({ product, size, quantity }) => ({
    product_id: product.id,
    size,
    quantity,
  }));
  return world.ask(
    'create-order',
    createOrderEndpoint,
    '/api/payment/create-order',
    {
      headers: { ...json, authorization: `Bearer ${customer.token}`, 'idempotency-key': key },
      body: JSON.stringify({
        ...customerDetails,
        customer_phone: `98470 1234${String(world.customers.indexOf(customer))}`,
        products,
        total_amount: totalOf(lines, way) / 100,
        payment_way: way,
      }),
    },
    whenDone,
  );
}

/** The customer cancels an order that their page shows as paid, or gives up one that it shows as unpaid. */
export function cancelOwn(
  world: World,
  { token }: Customer,
  order: number,
  { key, paid }: { key: string; paid: boolean },
  whenDone?: WhenDone,
): Process {
  world.memory.cancellations.push({ order, paid });
  const path = `/api/orders/${String(order)}/cancel`;
  return world.ask(
    'own cancel',
    ownCancelEndpoint,
    path,
    {
      headers: { ...json, authorization: `Bearer ${token}` },
      params: { id: String(order) },
      body: JSON.stringify({ key, paid }),
    },
    whenDone,
  );
}

export function verify(world: World, customer: Customer, response: CheckoutResponse): Process {
  return world.ask('verify', verifyEndpoint, '/api/payment/verify', {
    headers: { ...json, authorization: `Bearer ${customer.token}` },
    body: JSON.stringify(response),
  });
}

export function callback(world: World, response: CheckoutResponse): Process {
  return world.ask('callback', callbackEndpoint, '/api/payment/callback', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(response).toString(),
  });
}

export function webhook(
  world: World,
  { id, body, signature }: Delivery,
  whenDone?: WhenDone,
): Process {
  const headers = { ...json, 'x-razorpay-event-id': id, 'x-razorpay-signature': signature };
  return world.ask('webhook', webhookEndpoint, '/api/payment/webhook', { headers, body }, whenDone);
}

export const sweep = (world: World, whenDone?: WhenDone): Process =>
  world.ask('sweep', sweepEndpoint, '/.netlify/functions/payment-sweep', { body: '{}' }, whenDone);

function admin(
  world: World,
  name: string,
  path: string,
  body: unknown,
  { method = 'POST', whenDone }: { method?: string; whenDone?: WhenDone } = {},
): Process {
  const headers = { ...json, cookie: world.cookie() };
  return world.ask(
    name,
    adminEndpoint,
    path,
    { method, headers, body: JSON.stringify(body) },
    whenDone,
  );
}

export const cancel = (world: World, order: number, key: string, restock: boolean): Process =>
  admin(world, 'cancel', `/api/admin/orders/${String(order)}/cancel`, {
    key,
    reason: 'Sold in the shop',
    restock,
  });

export function refund(
  world: World,
  order: number,
  key: string,
  amountPaise: number,
  restock: readonly { productId: string; size?: string; quantity: number }[],
): Process {
  return admin(world, 'refund', `/api/admin/orders/${String(order)}/refund`, {
    key,
    amountPaise,
    reason: 'A scratch',
    restock,
  });
}

export const refundPayment = (world: World, payment: string, key: string): Process =>
  admin(world, 'refund payment', `/api/admin/payments/${payment}/refund`, { key });

export function fulfil(world: World, order: number, state: 'packed' | 'shipped'): Process {
  const parcel =
    state === 'shipped' ? { carrier: 'India Post', trackingNumber: 'EM123456789IN' } : {};
  return admin(world, state, `/api/admin/orders/${String(order)}/fulfilment`, {
    state,
    ...parcel,
  });
}

/** What the admin does with an order that is paid at the door: confirms it, records its cash, or takes the parcel back. */
export const cash = (
  world: World,
  order: number,
  what: 'confirm' | 'receive' | 'refuse',
  body: object,
  whenDone: WhenDone = () => undefined,
): Process => {
  const path = `/api/admin/orders/${String(order)}/cash/${what}`;
  return admin(world, `cash ${what}`, path, body, { whenDone });
};

/** The admin reads a courier's list of cash: [order, paise]. */
export const readCashList = (world: World, cash: readonly (readonly [number, number])[]): Process =>
  admin(world, 'cash list', '/api/admin/cash/remittance', {
    rows: cash.map(([orderId, amountPaise], index) => ({
      row: index + 2,
      orderId,
      amountPaise,
      trackingNumber: '',
      reference: 'UTR1',
    })),
    save: true,
  });

/** The admin saves another stock in a form that was opened just now. */
export async function editStock(
  world: World,
  { id, price }: Product,
  change: number,
): Promise<Process> {
  const [row] = await world.database.sql<{
    stock: number;
    sizes: { size: string; stock: number }[];
    at: string;
  }>(
    `select stock, sizes, to_jsonb(updated_at) #>> '{}' as at from public.products where id = $1`,
    id,
  );
  const [seen, updatedAt, sizes] = [row?.stock ?? 0, row?.at ?? '', row?.sizes ?? []];
  // The first size of a product with sizes.
  const wanted = sizes.map((size, index) => ({
    ...size,
    stock: index === 0 ? Math.max(0, size.stock + change) : size.stock,
  }));
  const stock =
    sizes.length === 0
      ? Math.max(0, seen + change)
      : wanted.reduce((sum, size) => sum + size.stock, 0);
  const product = {
    name: 'Temple ring',
    description: '',
    category: 'rings',
    price,
    offerPrice: null,
    hidden: false,
    images: [],
    imageAlts: [],
    attributes: {},
  };
  const body = {
    product: { ...product, stock, sizes: wanted },
    seen: { updatedAt, stock: seen, sizes },
  };
  return admin(world, 'edit stock', `/api/admin/products/${id}`, body, { method: 'PUT' });
}
