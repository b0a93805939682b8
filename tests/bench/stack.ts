/*
 * The embedded stack's figures, on a data folder of its own: `npm run bench -- stack [purchases]`. Times are of this
 * machine at this moment; compare runs side by side, never with a limit.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import * as z from 'zod';
import { paiseFromRupees, platformFee } from '../../src/domain/money.ts';
import { shop } from '../../src/shop.config.ts';
import { startEmbeddedStack, type EmbeddedStack } from './embedded-stack.ts';

const purchases = Number(process.argv[2] ?? 1000);
/** Below the limits of one shopper in their window; after as many, the limits' counts are emptied. */
const purchasesPerWindow = 5;
const dataDir = await mkdtemp(join(tmpdir(), 'bench-stack-'));
const first = await startEmbeddedStack(dataDir);
await first.stop();
const again = await startEmbeddedStack(dataDir);
const { origin, sandboxOrigin, secrets, running } = again;

const samples = new Map<string, number[]>();

/** Sends a request and keeps how long it took, in milliseconds, under a name. Throws on another status than 200. */
async function measure(name: string, path: string, init: RequestInit): Promise<unknown> {
  const began = performance.now();
  const response = await fetch(origin + path, init);
  const text = await response.text();
  samples.set(name, [...(samples.get(name) ?? []), performance.now() - began]);
  if (!response.ok) throw new Error(`${name} answered ${String(response.status)}: ${text}`);
  return JSON.parse(text);
}

const json = { 'content-type': 'application/json' };
const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({ method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });

/** Memory of the stack's process, in MB. */
async function memory({ pid }: EmbeddedStack): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1]) / 1024);
}

/** Processor time of the stack's process, in seconds. */
async function processorTime({ pid }: EmbeddedStack): Promise<number> {
  const fields = (await readFile(`/proc/${String(pid)}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function buy(token: string, keyId: string, webhookSecret: string, product: string): Promise<void> {
  const subtotal = paiseFromRupees(100) ?? 0;
  const order = z.object({ order_id: z.string() }).parse(
    await measure('create-order', '/api/payment/create-order', post(
      {
        ...{ customer_name: 'Anjali Menon', customer_email: 'shopper@kasavu.example', customer_phone: '+91 98470 12345' },
        ...{ customer_address: '14 Temple Road, Vadakkumnathan West', customer_city: 'Thrissur', customer_postal_code: '680001' },
        products: [{ product_id: product, quantity: 1 }],
        total_amount: (subtotal + platformFee(subtotal, shop.platformFeeBps)) / 100,
      },
      { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() },
    )),
  );
  const paid = await (await fetch(`${sandboxOrigin}/local/razorpay/checkout/pay`, post({ key: keyId, order_id: order.order_id }))).json() as { razorpay_payment_id: string };
  await measure('verify', '/api/payment/verify', post(paid, { authorization: `Bearer ${token}` }));
  const entity = { entity: 'payment', id: paid.razorpay_payment_id, order_id: order.order_id, amount: subtotal + platformFee(subtotal, shop.platformFeeBps), currency: 'INR', status: 'captured', captured: true };
  const event = JSON.stringify({ entity: 'event', event: 'payment.captured', contains: ['payment'], payload: { payment: { entity } } });
  const signature = createHmac('sha256', webhookSecret).update(event).digest('hex');
  await measure('webhook', '/api/payment/webhook', { method: 'POST', headers: { ...json, 'x-razorpay-signature': signature, 'x-razorpay-event-id': randomUUID() }, body: event });
}

/** Asks for a build as the admin page does and waits until its pages are served. Returns the seconds. */
async function rebuild(cookie: string): Promise<number> {
  const builtAt = async (): Promise<string> => ((await (await fetch(`${origin}/build.json`)).json()) as { builtAt: string }).builtAt;
  const before = await builtAt();
  const began = performance.now();
  const asked = await fetch(`${origin}/api/admin/publish`, post({}, { cookie, origin }));
  if (!asked.ok) throw new Error(await asked.text());
  while ((await builtAt()) === before) await new Promise((done) => setTimeout(done, 100));
  return (performance.now() - began) / 1000;
}

const percentile = (values: readonly number[], share: number): string =>
  (values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN).toFixed(1);

try {
  const { adminPassword, shopper } = running;
  const options = { auth: { persistSession: false, autoRefreshToken: false } };
  const session = await createClient(origin, secrets.publishableKey, options).auth.signInWithPassword(shopper);
  const token = session.data.session?.access_token ?? '';
  const inserted = await createClient(origin, secrets.secretKey, options).from('products')
    .insert({ name: 'Bench ring', category: 'rings', price: 100, stock: purchases }).select('id');
  const product = z.tuple([z.object({ id: z.string() })]).parse(inserted.data)[0].id;
  const login = await fetch(`${origin}/api/admin/login`, post({ password: adminPassword }, { origin }));
  const cookie = login.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ');

  const atStart = await memory(again);
  const rebuilt = await rebuild(cookie);
  const afterBuild = await memory(again);
  const admin = createClient(origin, secrets.secretKey, options);
  for (let count = 0; count < purchases; count += 1) {
    if (count % purchasesPerWindow === 0) await admin.from('rate_limits').delete().gte('hits', 0);
    await buy(token, secrets.razorpayKeyId, secrets.razorpayWebhookSecret, product);
    await measure('admin session', '/api/admin/session', { headers: { cookie } });
  }
  const after = await memory(again);
  const busy = await processorTime(again);
  await new Promise((done) => setTimeout(done, 60_000));
  const idle = (await processorTime(again)) - busy;
  await again.stop();

  console.log(`first start          ${first.seconds.toFixed(1)} s\nstart on kept data   ${again.seconds.toFixed(1)} s\nrebuild, live after  ${rebuilt.toFixed(1)} s`);
  console.log(`memory at the start ${String(atStart)} MB, after the rebuild ${String(afterBuild)} MB, after ${String(purchases)} purchases ${String(after)} MB\nprocessor in an idle minute  ${idle.toFixed(1)} s\n\nmilliseconds      p50     p95`);
  for (const [name, values] of samples) console.log(`${name.padEnd(14)}${percentile(values, 0.5).padStart(7)} ${percentile(values, 0.95).padStart(7)}`);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
