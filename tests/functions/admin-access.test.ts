import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import imagesEndpoint from '../../netlify/functions/admin-images.ts';
import loginEndpoint from '../../netlify/functions/admin-login.ts';
import logoutEndpoint from '../../netlify/functions/admin-logout.ts';
import productEndpoint from '../../netlify/functions/admin-product.ts';
import productsEndpoint from '../../netlify/functions/admin-products.ts';
import publishEndpoint from '../../netlify/functions/admin-publish.ts';
import sessionEndpoint from '../../netlify/functions/admin-session.ts';
import { logIn, ownerPassword, setOwnerPassword, type AskOptions, type Owner } from './admin-owner.ts';
import { picture } from './hostile-pictures.ts';
import { startStack, type Answer, type Endpoint, type Stack } from './stack.ts';

/* Every endpoint of the owner × every way not to be the owner at the shop's own page. */
let stack: Stack;
let owner: Owner;
let productId: string;
let jpeg: Buffer<ArrayBuffer>;

beforeAll(async () => {
  stack = await startStack();
  await setOwnerPassword();
  owner = await logIn(stack);
  productId = await stack.addProduct({ name: 'Temple ring' });
  jpeg = await picture('jpeg');
});
beforeEach(() => stack.database.sql('delete from public.rate_limits'));
afterAll(() => stack.close());

const product = {
  ...{ name: 'Changed', description: '', category: 'rings', price: 5_000, offerPrice: null, stock: 1 },
  ...{ images: [], imageAlts: [], attributes: {} },
};
interface Attempt {
  name: string;
  endpoint: Endpoint;
  method: string;
  path: () => string;
  body?: () => unknown;
  pictures?: true;
}
const changing: Attempt[] = [
  { name: 'logout', endpoint: logoutEndpoint, method: 'POST', path: () => '/api/admin/logout', body: () => ({ everywhere: true }) },
  {
    ...{ name: 'new product', endpoint: productsEndpoint, method: 'POST', path: () => '/api/admin/products' },
    body: () => ({ id: crypto.randomUUID(), product }),
  },
  {
    ...{ name: 'edit', endpoint: productEndpoint, method: 'PUT', path: () => `/api/admin/products/${productId}` },
    body: () => ({ product, seen: { updatedAt: new Date().toISOString(), stock: 10 } }),
  },
  { name: 'delete', endpoint: productEndpoint, method: 'DELETE', path: () => `/api/admin/products/${productId}` },
  { name: 'picture', endpoint: imagesEndpoint, method: 'POST', path: () => '/api/admin/images', pictures: true },
  { name: 'publish', endpoint: publishEndpoint, method: 'POST', path: () => '/api/admin/publish' },
];
const reading: Attempt[] = [
  { name: 'session', endpoint: sessionEndpoint, method: 'GET', path: () => '/api/admin/session' },
  { name: 'products', endpoint: productsEndpoint, method: 'GET', path: () => '/api/admin/products' },
  { name: 'product', endpoint: productEndpoint, method: 'GET', path: () => `/api/admin/products/${productId}` },
  { name: 'unknown product', endpoint: productEndpoint, method: 'GET', path: () => `/api/admin/products/${crypto.randomUUID()}` },
  { name: 'publish state', endpoint: publishEndpoint, method: 'GET', path: () => '/api/admin/publish' },
];

function attempt({ endpoint, method, path, body, pictures }: Attempt, options: AskOptions): Promise<Answer> {
  const asPicture = pictures ? { body: jpeg, type: 'image/jpeg' } : {};
  return owner.ask(endpoint, method, path(), body?.(), { ...asPicture, ...options });
}

async function everything(): Promise<unknown> {
  const rows = async (sql: string): Promise<unknown> => stack.database.sql(sql);
  return [
    await rows('select * from public.products order by id'),
    await rows('select * from public.pictures'),
    await rows('select id, revoked_at from public.admin_sessions order by id'),
    await rows('select * from public.builds'),
    await readdir(stack.database.pictures, { recursive: true }).catch(() => []),
  ];
}

const strangers: Record<string, () => Promise<AskOptions>> = {
  'without a cookie': () => Promise.resolve({ cookie: null }),
  'with an empty cookie': () => Promise.resolve({ cookie: '__Host-kasavu-admin=' }),
  'with a made-up cookie': () => Promise.resolve({ cookie: `__Host-kasavu-admin=${'A'.repeat(43)}` }),
  'with the token under another name': () => Promise.resolve({ cookie: owner.cookie.replace('__Host-', '') }),
  'with an expired session': async () => {
    const other = await logIn(stack);
    await stack.database.sql(`update public.admin_sessions set expires_at = now() - interval '1 second' where id = (select max(id) from public.admin_sessions)`);
    return { cookie: other.cookie };
  },
  'with a session that was ended': async () => {
    const other = await logIn(stack);
    await other.ask(logoutEndpoint, 'POST', '/api/admin/logout', {});
    return { cookie: other.cookie };
  },
};

describe.each(Object.entries(strangers))('%s', (_name, stranger) => {
  test.each([...changing, ...reading])('$method $name is refused, and nothing is written', async (one) => {
    const options = await stranger();
    const before = await everything();
    const answer = await attempt(one, options);
    expect(answer.status).toBe(401);
    // The same for every path and id: it tells nobody what there is.
    const { request_id: id, ...body } = answer.json;
    expect(body).toEqual({ message: 'Please log in.', error: 'unauthorised' });
    expect(typeof id).toBe('string');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await everything()).toEqual(before);
  });
});

const foreign: [string, AskOptions, number][] = [
  ['no Origin', { origin: null }, 403],
  ['a foreign Origin', { origin: 'https://evil.example' }, 403],
  ['the Origin null', { origin: 'null' }, 403],
  ['its own host by another scheme', { origin: 'http://kasavu.example' }, 403],
  ['its own host on another port', { origin: 'https://kasavu.example:8443' }, 403],
  ['a host that begins like its own', { origin: 'https://kasavu.example.evil.example' }, 403],
  ['a form type', { type: 'application/x-www-form-urlencoded' }, 415],
  ['a multipart type', { type: 'multipart/form-data; boundary=x' }, 415],
  ['plain text', { type: 'text/plain' }, 415],
  ['a type that only contains the right one', { type: 'text/plain; application/json; image/jpeg' }, 415],
];

describe.each(foreign)('from the owner’s own browser with %s', (_name, options, status) => {
  test.each(changing)('$method $name is refused, and nothing is written', async (one) => {
    const before = await everything();
    // Content without a type: not what `Request` would give it.
    const answer = await attempt(one, options);
    expect(answer.status).toBe(status);
    expect(await everything()).toEqual(before);
  });

  test('so is a login, however right the password', async () => {
    const answer = await owner.ask(loginEndpoint, 'POST', '/api/admin/login', { password: ownerPassword }, { cookie: null, ...options });
    expect(answer.status).toBe(status);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

test.each([...changing, ...reading])('$name refuses methods it does not have before it looks at anything', async (one) => {
  const answer = await owner.ask(one.endpoint, 'PATCH', one.path(), {}, { cookie: null });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toMatch(/^(?:GET|POST|PUT|DELETE)(?:, (?:GET|POST|PUT|DELETE))*$/u);
});

// Last: what was refused above works for the owner.
test.each(['new product', 'delete', 'picture', 'publish'])('%s works for the owner', async (name) => {
  const one = changing.find((each) => each.name === name);
  const answer = one && (await attempt(one, {}));
  expect([200, 201, 202]).toContain(answer?.status);
});
