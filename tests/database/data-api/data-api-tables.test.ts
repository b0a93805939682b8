import { readFile } from 'node:fs/promises';
import { parse } from 'smol-toml';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { useDatabase, type Asker } from '#tests/database/support/postgres.ts';
import { askRestApi, type RestAnswer } from '#tests/database/support/rest-api.ts';
import { newPaymentId } from '#tests/database/support/shop-database.ts';
import { findCalls } from './calls-in-sources.ts';
import { closed, type Caller, type FeatureCalls, type TableCall } from './table-calls.ts';

/*
 * Every call of a table, made by the shop's own code, on a project that grants nothing by itself; then the same request by
 * each of the browser's callers. Functions: data-api-functions.test.ts.
 */
const database = await useDatabase('explicitGrants');

const configSchema = z.object({ api: z.object({ max_rows: z.int() }) });
const { max_rows: maxRows } = configSchema.parse(
  parse(await readFile('supabase/config.toml', 'utf8')),
).api;

const user = {
  id: await database.addCustomer('a@example.com'),
  email: 'a@example.com',
  name: 'Asha',
};
const stranger = await database.addCustomer('b@example.com');
const ring = await database.addProduct();
const order = await database.placeOpen(user.id, [{ product_id: ring, quantity: 1 }], {
  details: { email: user.email },
});
await database.markPaid(order, newPaymentId());
await database.run(
  `update public.orders set fulfilment = 'shipped' where id = ${String(order.id)}`,
);

const askers = {
  visitor: { role: 'anon' },
  customer: { role: 'authenticated', claims: { sub: user.id } },
  stranger: { role: 'authenticated', claims: { sub: stranger } },
  service: { role: 'service_role' },
} satisfies Record<Caller, Asker>;

/** Requests of tables since the test began; answered as to `caller`. */
let requests: Request[] = [];
let caller: Caller = 'visitor';
async function answer(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const { pathname } = new URL(request.url);
  // Storage and the site are other services.
  if (pathname.startsWith('/storage/'))
    return Response.json(request.method === 'DELETE' ? [] : { Id: '1', Key: '1' });
  if (!pathname.startsWith('/rest/')) return new Response(null, { status: 404 });
  if (!pathname.startsWith('/rest/v1/rpc/')) requests.push(request.clone());
  const isSingle = request.headers.get('accept')?.includes('vnd.pgrst.object') ?? false;
  const { data, code } = await askRestApi(database, askers[caller], request, maxRows);
  if (code !== undefined) return Response.json({ code, message: code }, { status: 403 });
  return Response.json(isSingle && Array.isArray(data) ? data[0] : data);
}
beforeAll(() => {
  for (const name of ['SUPABASE_URL', 'PUBLIC_SUPABASE_URL'])
    vi.stubEnv(name, 'https://project.supabase.co');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'sb_secret_1');
  vi.stubEnv('PUBLIC_SUPABASE_PUBLISHABLE_KEY', 'sb_publishable_1');
  vi.stubGlobal('fetch', answer);
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
beforeEach(() => {
  requests = [];
});

const summary = ({ data, code }: RestAnswer): string =>
  code ?? (Array.isArray(data) ? `${String(data.length)} rows` : 'done');

const form = {
  full_name: 'Asha',
  phone: '9847012345',
  address: 'House 12',
  city: 'Kochi',
  postal_code: '682001',
};

const calls: TableCall[] = [
  // Those of features: each `tests/features/NAME/table-calls.ts`.
  ...Object.values(
    import.meta.glob<FeatureCalls>('../../features/*/table-calls.ts', {
      eager: true,
      import: 'tableCalls',
    }),
  ).flatMap((tableCalls) => tableCalls({ user, product: ring, order: order.id })),
  {
    name: 'src/services/auth/profile.ts select profiles',
    caller: 'customer',
    answers: ['42501', '1 rows', '0 rows'],
    run: async () => (await import('#services/auth/profile.ts')).fetchProfile(user),
  },
  {
    name: 'src/services/auth/profile.ts update profiles',
    caller: 'customer',
    answers: ['42501', '1 rows', '0 rows'],
    run: async () => (await import('#services/auth/profile.ts')).saveProfile(user, form),
  },
  {
    name: 'src/services/auth/prefill.ts select orders',
    caller: 'customer',
    answers: ['42501', '1 rows', '0 rows'],
    run: async () => (await import('#services/auth/prefill.ts')).fetchKnownDetails(user),
  },
  {
    name: 'src/services/orders/orders.ts select orders',
    caller: 'customer',
    answers: ['42501', '1 rows', '0 rows'],
    run: async () => (await import('#services/orders/orders.ts')).fetchOwnOrders(user),
  },
  {
    name: 'src/services/catalogue/current-stock.ts select products',
    caller: 'visitor',
    answers: ['1 rows', '1 rows', '1 rows'],
    run: async () =>
      (await import('#services/catalogue/current-catalogue.ts')).fetchCurrentProducts([ring]),
  },
  ...(['products', 'catalogue_version'] as const).map((table): TableCall => ({
    name: `src/services/catalogue/catalogue.ts select ${table}`,
    caller: 'visitor',
    answers: ['1 rows', '1 rows', '1 rows'],
    run: async () => (await import('#services/catalogue/catalogue.ts')).fetchCatalogue(),
  })),
  {
    name: 'netlify/core/catalogue/product-page.ts select products',
    caller: 'service',
    answers: ['1 rows', '1 rows', '1 rows'],
    run: async () => (await import('#core/catalogue/product-page.ts')).findProduct(ring),
  },
  {
    name: 'netlify/core/checkout/orders.ts select orders',
    caller: 'service',
    // A customer reads these columns of their own orders.
    answers: ['42501', '1 rows', '0 rows'],
    run: async () => (await import('#core/checkout/orders.ts')).findOrder(order.razorpay_order_id),
  },
  ...(['builds', 'products'] as const).map((table): TableCall => ({
    name: `netlify/core/publishing/publish.ts select ${table}`,
    caller: 'service',
    answers: table === 'builds' ? closed : ['1 rows', '1 rows', '1 rows'],
    run: async () =>
      (await import('#core/publishing/publish.ts')).readPublishState(
        new Request('https://shop.example/'),
      ),
  })),
  {
    name: 'netlify/core/catalogue/image-files.ts insert pictures',
    caller: 'service',
    answers: closed,
    run: async () =>
      (await import('#core/catalogue/image-files.ts')).storeImage({
        content: new Uint8Array([1]),
        width: 1,
        height: 1,
      }),
  },
  {
    name: 'netlify/core/catalogue/image-files.ts delete pictures',
    caller: 'service',
    answers: closed,
    async run() {
      await database.run(`update public.pictures set uploaded_at = now() - interval '40 days'`);
      return (await import('#core/catalogue/image-files.ts')).removeUnusedImages(10, 'products');
    },
  },
];

describe('each call of a table', () => {
  test('in the sources is in this list, and no other', () => {
    expect([...new Set(calls.map(({ name }) => name))].sort()).toEqual(
      findCalls().filter((name) => !name.startsWith('rpc ')),
    );
  });

  test.each(calls)(
    '$name: the shop’s own code is answered, others as far as they may',
    async ({ name, caller: asking, run, answers }) => {
      const [, action = '', table = ''] = name.split(' ');
      caller = asking;
      await run();
      const method = {
        select: 'GET',
        insert: 'POST',
        upsert: 'POST',
        update: 'PATCH',
        delete: 'DELETE',
      }[action];
      const request = requests.find(
        (made) => made.method === method && new URL(made.url).pathname.endsWith(`/${table}`),
      );
      if (!request)
        throw new Error(
          `The code made no such request, but ${requests.map(({ method: made, url }) => `${made} ${url}`).join(', ')}`,
        );
      const given: string[] = [];
      for (const other of ['visitor', 'customer', 'stranger'] as const)
        given.push(summary(await askRestApi(database, askers[other], request.clone(), maxRows)));
      expect(given).toEqual(answers);
    },
  );
});

test('a catalogue longer than max_rows is read whole', async () => {
  await database.query(
    `insert into public.products (name, category, price) select 'Ring ' || n, 'rings', 100 from generate_series(1, $1::int) n`,
    maxRows + 5,
  );
  caller = 'visitor';
  const { products } = await (await import('#services/catalogue/catalogue.ts')).fetchCatalogue();
  expect(products).toHaveLength(maxRows + 6);
});
