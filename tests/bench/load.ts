/*
 * Many shoppers at once on the embedded stack: `npm run bench -- load [shoppers]`. Each opens home, the shop and three
 * products, as a browser does with the reads of current stock, then signs in, orders, pays and sees the confirmation, with
 * pauses of one to four seconds, and comes back twice. They come one after another within the length of a visit, so that all
 * are there at once and each is somewhere else. Every shopper comes from an address of their own, since limits count
 * addresses.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';
import * as z from 'zod';
import { startEmbeddedStack } from './embedded-stack.ts';
import { buy, measure, percentile, type Samples, type Send } from './purchase.ts';

const shoppers = Number(process.argv[2] ?? 200);
const dataDir = await mkdtemp(join(tmpdir(), 'bench-load-'));
const stack = await startEmbeddedStack(dataDir);
const { origin, secrets } = stack;
const options = { auth: { persistSession: false, autoRefreshToken: false } };
const admin = createClient(origin, secrets.secretKey, options);

/** Requests from one loopback address, over a connection that stays open as a browser's does. */
function sender(address: string): Send {
  const agent = new Agent({ keepAlive: true, localAddress: address });
  return (url, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((done, fail) => {
      const sent = request(url, { agent, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          done({ status: response.statusCode ?? 0, text });
        });
      });
      sent.on('error', fail);
      sent.end(body);
    });
}

const think = (): Promise<void> => wait(1_000 + Math.random() * 3_000);

interface Account {
  token: string;
  send: Send;
}

const mailSchema = z.array(z.object({ to: z.array(z.string()), links: z.array(z.string()) }));

/** The link of the mail that confirms an address, as soon as it is there. */
async function confirmationLink(email: string): Promise<string> {
  for (;;) {
    const mails = mailSchema.parse(await (await fetch(`${origin}/local/mailbox.json`)).json());
    const link = mails
      .find(({ to }) => to.includes(email))
      ?.links.find((address) => address.includes('/verify'));
    if (link !== undefined) return link;
    await wait(100);
  }
}

/** Makes an account by the auth service's own calls: the sign-up, and the link of its mail, which opens a session. */
async function signUp(index: number): Promise<Account> {
  const email = `load-${String(index)}-${randomUUID().slice(0, 8)}@kasavu.example`;
  const { error } = await createClient(origin, secrets.publishableKey, options).auth.signUp({
    email,
    password: 'kasavu-load',
  });
  if (error) throw error;
  const opened = await fetch(await confirmationLink(email), { redirect: 'manual' });
  const token = new URLSearchParams(
    new URL(opened.headers.get('location') ?? '', origin).hash.slice(1),
  ).get('access_token');
  if (token === null) throw new Error('The link of the mail opened no session');
  return {
    token,
    send: sender(`127.0.${String(1 + Math.floor(index / 250))}.${String(1 + (index % 250))}`),
  };
}

const samples: Samples = new Map();
const visitsEach = 3;
/** Milliseconds within which all shoppers have come: about as long as a visit takes. */
const arrival = 24_000;
const columns = 'id,name,price,offerPrice,stock';

async function visit(
  { token, send }: Account,
  products: readonly string[],
  bought: string,
): Promise<void> {
  const page = (name: string, path: string): Promise<string> =>
    measure(samples, send, name, `${origin}${path}`);
  const current = (ids: readonly string[]): Promise<string> =>
    measure(
      samples,
      send,
      'current stock',
      `${origin}/rest/v1/products?select=${columns}&id=in.(${ids.join(',')})`,
      { headers: { apikey: secrets.publishableKey } },
    );
  await think();
  await page('home', '/');
  await think();
  await page('shop', '/shop');
  await current(products.slice(0, 12));
  for (let opened = 0; opened < 3; opened += 1) {
    await think();
    const id = products[Math.floor(Math.random() * products.length)] ?? bought;
    await page('product', `/product/${id}`);
    await current([id]);
  }
  await think();
  await page('cart', '/cart');
  await current([bought]);
  await think();
  const { orderId } = await buy(stack, { samples, send, token, product: bought, pause: think });
  await measure(samples, send, 'status', `${origin}/api/payment/status?order_id=${orderId}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  // create-order and verify each call the provider once.
  const key = Buffer.from(`${secrets.razorpayKeyId}:${secrets.razorpayKeySecret}`).toString(
    'base64',
  );
  await measure(
    samples,
    send,
    'sandbox alone',
    `${stack.sandboxOrigin}/local/razorpay/v1/orders/${orderId}`,
    { headers: { authorization: `Basic ${key}` } },
  );
}

try {
  const rows = z.array(z.object({ id: z.string() }));
  const products = rows.parse((await admin.from('products').select('id')).data).map(({ id }) => id);
  const inserted = rows.parse(
    (
      await admin
        .from('products')
        .insert({ name: 'Load ring', category: 'rings', price: 100, stock: shoppers * visitsEach })
        .select('id')
    ).data,
  );
  const bought = inserted[0]?.id ?? '';
  const accounts: Account[] = [];
  for (let index = 0; index < shoppers; index += 1) accounts.push(await signUp(index));

  const began = performance.now();
  const visits = await Promise.allSettled(
    accounts.map(async (account, index) => {
      await wait((index / shoppers) * arrival);
      for (let count = 0; count < visitsEach; count += 1) await visit(account, products, bought);
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const failures = visits.flatMap((visit) =>
    visit.status === 'rejected' ? [String(visit.reason)] : [],
  );
  const left = rows
    .and(z.array(z.object({ stock: z.number() })))
    .parse((await admin.from('products').select('id,stock').eq('id', bought)).data);
  const paid = await admin
    .from('orders')
    .select('id', { count: 'exact', head: true })
    .eq('status', 'COMPLETED');

  console.log(
    `${String(shoppers)} shoppers in ${seconds.toFixed(0)} s: ${String(failures.length)} errors, ${String(paid.count)} orders paid, stock left ${String(left[0]?.stock)}`,
  );
  for (const failure of new Set(failures)) console.log(`  ${failure.slice(0, 200)}`);
  console.log('\nmilliseconds      count     p50     p95');
  for (const [name, values] of samples) {
    console.log(
      `${name.padEnd(16)}${String(values.length).padStart(7)} ${percentile(values, 0.5).padStart(7)} ${percentile(values, 0.95).padStart(7)}`,
    );
  }
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}
