import { afterAll, vi } from 'vitest';
import productEndpoint from '#netlify/functions/product.ts';
import {
  adminProductSchema,
  adminProductsSchema,
  type AdminProduct,
  type ProductInput,
} from '#domain/admin/products/product-input.ts';
import { serveFetch } from '#tests/functions/support/serve-fetch.ts';
import { useStack, type Answer, type Stack } from '#tests/functions/support/stack.ts';
import { logIn, setAdminPassword } from '#tests/functions/admin/admin-client.ts';

export const input: ProductInput = {
  name: 'Lotus ring',
  description: 'Gold-plated brass',
  category: 'rings',
  price: 123_450,
  offerPrice: null,
  stock: 10,
  hidden: false,
  images: ['products/a.webp', 'https://pictures.example/b.jpg'],
  imageAlts: ['A ring', ''],
  attributes: { metal: 'Brass', weight_g: 4.2 },
};

/** The admin's requests about products, on a stack of their own and a live site that says what it was built from. */
export interface ProductRequests {
  stack: Stack;
  /** Address of the live site. */
  siteUrl: string;
  /** The admin's request under /api/admin/products. */
  ask: (method: string, path: string, body?: unknown) => Promise<Answer>;
  /** The admin's request under any path. */
  askAdmin: (method: string, path: string, body?: unknown) => Promise<Answer>;
  /** The admin's request at /api/admin/featured. */
  askFeatured: (method: string, body?: unknown) => Promise<Answer>;
  create: (product?: unknown, id?: unknown) => Promise<Answer>;
  stored: (product?: Partial<ProductInput>) => Promise<AdminProduct>;
  save: (seen: AdminProduct, product: Partial<ProductInput>, path?: string) => Promise<Answer>;
  /** The answer to a query that must be answered. */
  list: (query?: string) => Promise<{ products: AdminProduct[]; total: number }>;
  /** The live site is built from the catalogue of this moment. */
  publishAll: () => Promise<void>;
  /** The live site does not say what it was built from. */
  forgetBuild: () => void;
}

export async function openProductRequests(): Promise<ProductRequests> {
  let built: { version: number; builtAt: string } | null = null;
  const stack = await useStack();
  const site = await serveFetch(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/build.json' && built) return Response.json(built);
    if (pathname === '/product/not-found')
      return new Response('<h1>Product not found</h1>', { headers: { 'x-frame-options': 'DENY' } });
    if (pathname === '/product/template') return new Response('<h1>__PRODUCT_NAME__</h1>');
    if (pathname === '/feeds/google-reviews.xml') return new Response('<feed/>');
    if (pathname.startsWith('/api/catalogue/product/')) {
      const { status, text } = await stack.call(productEndpoint, pathname);
      return new Response(text, { status });
    }
    if (pathname === '/api/catalogue/withdrawn') {
      const { text } = await stack.call(productEndpoint, pathname);
      return new Response(text, { headers: { 'content-type': 'application/json' } });
    }
    return new Response('', { status: 404 });
  });
  afterAll(site.close);
  vi.stubEnv('URL', site.url);
  await setAdminPassword();
  const admin = await logIn(stack);
  const ask: ProductRequests['ask'] = (method, path, body) =>
    admin.ask(method, `/api/admin/products${path}`, body);
  const create: ProductRequests['create'] = (product = input, id = crypto.randomUUID()) =>
    ask('POST', '', { id, product });
  return {
    stack,
    siteUrl: site.url,
    ask,
    askAdmin: (method, path, body) => admin.ask(method, path, body),
    askFeatured: (method, body) => admin.ask(method, '/api/admin/featured', body),
    create,
    stored: async (product = {}) =>
      adminProductSchema.parse((await create({ ...input, ...product })).json['product']),
    save: (seen, product, path = seen.id) => {
      const {
        id: _id,
        createdAt: _created,
        updatedAt,
        unpublished: _unpublished,
        deletedAt: _deleted,
        ...fields
      } = seen;
      return ask('PUT', `/${path}`, {
        product: { ...fields, ...product },
        seen: { updatedAt, stock: seen.stock },
      });
    },
    list: async (query = '') => {
      const answer = await ask('GET', query);
      if (answer.status !== 200)
        throw new Error(`The list was answered with ${String(answer.status)}`);
      return adminProductsSchema.parse(answer.json);
    },
    publishAll: async () => {
      const [row] = await stack.sql<{ version: number }>(
        'select version::int from public.catalogue_version',
      );
      built = { version: row?.version ?? 0, builtAt: new Date().toISOString() };
    },
    forgetBuild: () => {
      built = null;
    },
  };
}
