import { request, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, type HttpServer } from '#local/emulators/http/server.ts';
import { createRouter } from '#local/stack/router.ts';
import { originAt } from '#local/shared/settings.ts';

let port: number;
let server: HttpServer;
/** Changes that were let through. */
const changes: string[] = [];

beforeAll(async () => {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  ({ port } = probe.address() as AddressInfo);
  await new Promise((done) => probe.close(done));
  const origin = originAt('localhost', port);
  const sandboxOrigin = originAt('127.0.0.1', port);
  const router = createRouter({ origin, sandboxOrigin });
  router.add(({ method, url }) => {
    if (method !== 'GET') changes.push(`${method} ${new URL(url).pathname}`);
    return new Response('shop');
  });
  router.add(
    ({ url }) => (url.endsWith('/local/razorpay/') ? new Response('sandbox') : undefined),
    sandboxOrigin,
  );
  router.setReady();
  server = await listen(port, [origin, sandboxOrigin, originAt('[::1]', port)], router.handle);
});
afterAll(async () => server.close());

interface Asked {
  host: string;
  path?: string;
  method?: string;
  origin?: string;
}

/** Sends a request under any host name, as `fetch` does not allow. Resolves to the status and the body or where it leads. */
async function ask({ host, path = '/', method = 'GET', origin }: Asked): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const headers = { host, ...(origin === undefined ? {} : { origin }) };
    const asked = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      answer.on('end', () => resolve([answer.statusCode ?? 0, answer.headers.location ?? text]));
    });
    asked.on('error', reject);
    asked.end();
  });
}

const at = (name: string): string => `${name}:${String(port)}`;

test('the shop and the sandbox each answer under their own name, and a page that the sandbox has not is looked for in the shop', async () => {
  expect(await ask({ host: at('localhost') })).toEqual([200, 'shop']);
  expect(await ask({ host: at('LOCALHOST') })).toEqual([200, 'shop']);
  expect(await ask({ host: at('localhost'), path: '/local/razorpay/' })).toEqual([200, 'shop']);
  expect(await ask({ host: at('127.0.0.1'), path: '/local/razorpay/' })).toEqual([200, 'sandbox']);
  expect(await ask({ host: at('127.0.0.1'), path: '/shop?category=rings' })).toEqual([
    307,
    `http://${at('localhost')}/shop?category=rings`,
  ]);
  expect(await ask({ host: at('127.0.0.1'), path: '/api/contact', method: 'POST' })).toEqual([
    404,
    'Not found',
  ]);
  expect(await ask({ host: at('[::1]'), path: '/cart' })).toEqual([
    307,
    `http://${at('localhost')}/cart`,
  ]);
});

test.each([
  'evil.example',
  'evil.example:80',
  'localhost',
  'localhost:1',
  'localhost.evil.example',
])('a request for the host "%s" is refused in a sentence', async (host) => {
  const [status, text] = await ask({ host, path: '/local/mailbox.json' });
  expect([status, JSON.parse(text)]).toEqual([
    421,
    {
      message: expect.stringMatching(/^This server answers under http:\/\/localhost:/u) as unknown,
    },
  ]);
});

test.each([
  ['no page', {}, true],
  ['a page of the shop', { origin: 'http://localhost:PORT' }, true],
  ['a page of the sandbox', { origin: 'http://127.0.0.1:PORT' }, true],
  ['a page of another port', { origin: 'http://localhost:1' }, false],
  ['a stranger’s page', { origin: 'https://evil.example' }, false],
  ['a page that hides its address', { origin: 'null' }, false],
])(
  'only %s may change what is under /local: %j %s',
  async (_who, { origin }: { origin?: string }, allowed) => {
    const asked = {
      host: at('localhost'),
      path: '/local/mailbox.json',
      ...(origin === undefined ? {} : { origin: origin.replace('PORT', String(port)) }),
    };
    changes.length = 0;
    for (const method of ['POST', 'DELETE']) {
      const [status, text] = await ask({ ...asked, method });
      expect(status).toBe(allowed ? 200 : 403);
      if (!allowed)
        expect(JSON.parse(text)).toEqual({
          message: 'Only the pages of this stack may change what is under /local.',
        });
    }
    expect(changes).toHaveLength(allowed ? 2 : 0);
    // Whoever asks may read: the browser keeps the answer from another origin's page.
    expect((await ask(asked))[0]).toBe(200);
  },
);

test('a body above 16 MB is refused, announced or not', async () => {
  const most = 16 * 1024 * 1024;
  const statusOf = (size: number, headers: Record<string, number> = {}): Promise<number> =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, method: 'POST' };
      const asked = request({ ...options, headers: { host: at('localhost'), ...headers } });
      asked.on('response', ({ statusCode = 0 }) => {
        resolve(statusCode);
        asked.destroy();
      });
      asked.on('error', reject);
      asked.write(new Uint8Array(size));
      if (headers['content-length'] === undefined) asked.end();
    });
  expect([
    await statusOf(1, { 'content-length': most + 1 }),
    await statusOf(most),
    await statusOf(most + 1),
  ]).toEqual([413, 200, 413]);
});
