import { routes } from '#core/admin/routes.ts';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { severalProductsApi } from '#domain/admin/products/products-api.ts';
import { ownOrderColumns } from '#domain/orders/own-order.ts';
import { withFilledShop, type FilledShop } from './filled-shop.ts';
import {
  inShops,
  timeRuns,
  type Cost,
  type GrowthRow,
  type RowGroup,
  type ShopSize,
} from './row.ts';

/** Does the work once; resolves to the bytes of the largest answer. */
type Run = () => Promise<number>;

interface ShopRow {
  name: string;
  /** Two sizes of a request, both in the large shop; none: the same request in the small shop and in the large one. */
  sizes?: readonly [number, number];
  prepare: (shop: FilledShop, size: number) => Run | Promise<Run>;
}

const post = (body: unknown): RequestInit => ({ method: 'POST', body: JSON.stringify(body) });

/** Sends requests one after the other. */
const sends =
  ({ send }: FilledShop, requests: readonly (readonly [path: string, init?: RequestInit])[]): Run =>
  async () => {
    let bytes = 0;
    for (const request of requests)
      bytes = Math.max(bytes, Buffer.byteLength(await send(...request)));
    return bytes;
  };
const reads = (name: string, ...paths: readonly string[]): ShopRow => ({
  name,
  prepare: (shop) =>
    sends(
      shop,
      paths.map((path) => [path]),
    ),
});

/** What an address needs besides its path. */
const queries: Readonly<Record<string, string>> = {
  '/api/admin/orders.csv': '?month=2031-05',
  '/api/admin/gstr1.zip': '?month=2031-05',
  '/api/admin/parcels.csv': `?columns=${encodeURIComponent('[{"key":"order","heading":"Order"},{"key":"address","heading":"Address"}]')}`,
};
/** Every address that the admin page reads: a new one is measured without a line here. */
const adminReads = routes
  .filter(({ method, path }) => method === 'GET' && !path.includes(':'))
  .map(({ path }) => reads(path, path + (queries[path] ?? '')));

const idsOf = async ({ query }: FilledShop, text: string, limit: number): Promise<string[]> =>
  (await query<{ id: string }>(`${text} limit $1::int`, limit)).map(({ id }) => id);
const productIds = (shop: FilledShop, count: number): Promise<string[]> =>
  idsOf(shop, 'select id::text from public.products where deleted_at is null order by id', count);
const ordersToPack = (shop: FilledShop, count: number): Promise<string[]> =>
  idsOf(shop, `select id::text from public.orders where stage = 'to_pack' order by id`, count);

/** The requests that compare a file's products with the stored ones, as `fetchCompared` sends them. */
const comparing = (ids: readonly string[]): [string, RequestInit][] =>
  Array.from({ length: Math.ceil(ids.length / 400) }, (_, part) => [
    '/api/admin/catalogue/compare',
    post({ ids: ids.slice(part * 400, (part + 1) * 400), names: [] }),
  ]);
async function storedProducts(shop: FilledShop, count: number): Promise<AdminProduct[]> {
  const answers: AdminProduct[][] = [];
  for (const request of comparing(await productIds(shop, count)))
    answers.push(
      (JSON.parse(await shop.send(...request)) as { products: AdminProduct[] }).products,
    );
  return answers.flat();
}

const waiting = (path: string, sizes: readonly [number, number]): ShopRow => ({
  name: `${path}, chosen orders`,
  sizes,
  prepare: async (shop, count) => {
    const address = new URL(path + (queries[path] ?? ''), 'http://shop');
    address.searchParams.set('orders', (await ordersToPack(shop, count)).join(','));
    return sends(shop, [[address.pathname + address.search]]);
  },
});

const rows: readonly ShopRow[] = [
  // This row comes first, because later ones leave work for it.
  {
    name: 'a sweep with nothing due',
    prepare: (shop) => sends(shop, [['/local/sweep', { method: 'POST' }]]),
  },
  reads('/api/health', '/api/health'),
  ...adminReads,
  reads('orders to pack', '/api/admin/orders?filter=to_pack'),
  reads('orders, nobody found', '/api/admin/orders?q=nobody+of+this+name'),
  reads('one order', '/api/admin/orders/2500'),
  reads('customers, by what they spent', '/api/admin/customers?sort=spent'),
  reads('customers, one found', '/api/admin/customers?q=customer+1234'),
  reads('figures of a year', '/api/admin/figures?period=year'),
  reads('products, by words', '/api/admin/products?q=lotus&sort=price'),
  reads('inbox, subscribers', '/api/admin/inbox?kind=subscribers'),
  {
    name: 'the whole catalogue as files',
    prepare: (shop) =>
      sends(
        shop,
        Array.from({ length: shop.products / 1_000 }, (_, part) => [
          `/api/admin/catalogue/export?part=${String(part + 1)}`,
        ]),
      ),
  },
  {
    name: 'price and stock of 24 products for a page of the shop',
    prepare: async (shop) => {
      const ids = (await productIds(shop, 24)).join(',');
      const address = `/rest/v1/products?select=id,price,offerPrice,stock&id=in.(${ids})`;
      return sends(shop, [[address, { headers: { apikey: shop.secrets.publishableKey } }]]);
    },
  },
  {
    name: 'a customer’s own orders',
    sizes: [30, 300],
    prepare: (shop, count) => {
      const { session } = shop.customers[count] ?? {};
      const headers = {
        apikey: shop.secrets.publishableKey,
        authorization: `Bearer ${session?.access_token ?? ''}`,
      };
      const select = `/rest/v1/orders?select=${ownOrderColumns}&order=created_at.desc`;
      return sends(shop, [
        [`${select}&user_id=eq.${session?.user.id ?? ''}`, { headers }],
        [
          `${select}&customer_email=eq.${encodeURIComponent(session?.user.email ?? '')}`,
          { headers },
        ],
      ]);
    },
  },
  {
    name: 'one order of a customer with many',
    sizes: [30, 300],
    prepare: async (shop, count) => {
      const [order] = await shop.query<{ id: number }>(
        'select min(id)::int as id from public.orders where user_id = $1::uuid',
        shop.customers[count]?.session.user.id,
      );
      return sends(shop, [[`/api/admin/orders/${String(order?.id)}`]]);
    },
  },
  {
    name: 'a month’s documents',
    sizes: [100, 1_000],
    prepare: (shop, count) =>
      sends(shop, [[`/api/admin/orders.csv?month=${shop.months[count] ?? ''}`]]),
  },
  waiting('/api/admin/packing-slips', [5, 50]),
  waiting('/api/admin/labels', [10, 100]),
  waiting('/api/admin/parcels.csv', [10, 100]),
  {
    name: 'a courier’s file with tracking numbers, compared',
    sizes: [10, 100],
    prepare: async (shop, count) => {
      const orders = await ordersToPack(shop, count);
      const parcels = orders.map((order, row) => ({
        row: row + 2,
        order,
        carrier: 'DTDC',
        trackingNumber: `D${String(77_000_000 + row)}`,
      }));
      return sends(shop, [['/api/admin/parcels', post({ rows: parcels, save: false })]]);
    },
  },
  {
    name: 'an import: its rows read and compared',
    sizes: [200, 2_000],
    prepare: async (shop, count) => {
      const ids = await productIds(shop, count);
      return sends(shop, comparing(ids));
    },
  },
  {
    name: 'products saved at once',
    sizes: [100, 1_000],
    prepare: (shop, count) => async () => {
      const stored = await storedProducts(shop, count);
      const edited = stored.map((product) => ({
        id: product.id,
        product: { ...product, price: product.price + 100 },
        seen: product,
      }));
      const answer = await shop.send(severalProductsApi.save.path, post({ rows: edited }));
      return answer.length;
    },
  },
  {
    name: 'products deleted at once and brought back',
    sizes: [100, 1_000],
    prepare: async (shop, count) => {
      const ids = await productIds(shop, count);
      return sends(
        shop,
        ['delete', 'restore'].map((step) => [`/api/admin/catalogue/${step}`, post({ ids })]),
      );
    },
  },
];

/** What cannot be measured is reported as such, and the other rows are measured all the same. */
const unmeasured: Cost = { cost: Number.NaN, bytes: 0 };

const measureShop = (size: ShopSize, wanted: readonly ShopRow[]): Promise<Cost[][]> =>
  withFilledShop(size, async (shop) => {
    const costs: Cost[][] = [];
    for (const { name, sizes, prepare } of wanted) {
      const counts = sizes === undefined ? [0] : size === 'large' ? sizes : [];
      const row: Cost[] = [];
      for (const count of counts)
        try {
          // A server's autovacuum does this; the embedded database has none.
          await shop.query('vacuum (analyze)');
          row.push(await timeRuns(await prepare(shop, count), shop.spentMs));
        } catch (error) {
          console.error(`${name}:`, error);
          row.push(unmeasured);
        }
      costs.push(row);
    }
    return costs;
  });

export function shopRows(chosen: (name: string) => boolean): RowGroup {
  const wanted = rows.filter(({ name }) => chosen(name));
  return {
    names: wanted.map(({ name }) => name),
    async measure() {
      const small = await measureShop('small', wanted);
      const large = await measureShop('large', wanted);
      return wanted.map(({ name, sizes }, index): GrowthRow => {
        const [first = unmeasured, second = unmeasured] = [
          ...(small[index] ?? []),
          ...(large[index] ?? []),
        ];
        const [from, to] = sizes ?? [1, 10];
        return {
          name,
          times: to / from,
          unit: 'ms',
          sizes: sizes === undefined ? inShops : `${String(from)} → ${String(to)}`,
          small: first,
          large: second,
        };
      });
    },
  };
}
