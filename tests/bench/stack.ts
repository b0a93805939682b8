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
import { startEmbeddedStack, type EmbeddedStack } from './embedded-stack.ts';
import { buy, measure, percentile, post, totalPaise, type Samples, type Send } from './purchase.ts';

const purchases = Number(process.argv[2] ?? 1000);
/** Below the limits of one shopper in their window; after as many, the limits' counts are emptied. */
const purchasesPerWindow = 5;
const dataDir = await mkdtemp(join(tmpdir(), 'bench-stack-'));
const first = await startEmbeddedStack(dataDir);
await first.stop();
const again = await startEmbeddedStack(dataDir);
const { origin, secrets, running } = again;

const samples: Samples = new Map();
const send: Send = async (url, init) => {
  const response = await fetch(url, init);
  return { status: response.status, text: await response.text() };
};

/** Memory of the stack's process, in MB. */
async function memory({ pid }: EmbeddedStack): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1]) / 1024);
}

/** Processor time of the stack's process, in seconds. */
async function processorTime({ pid }: EmbeddedStack): Promise<number> {
  const fields =
    (await readFile(`/proc/${String(pid)}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The webhook of a payment, as Razorpay sends it beside the browser's own word. */
async function sendWebhook({
  orderId,
  paymentId,
}: {
  orderId: string;
  paymentId: string;
}): Promise<void> {
  const entity = {
    entity: 'payment',
    id: paymentId,
    order_id: orderId,
    amount: totalPaise,
    currency: 'INR',
    status: 'captured',
    captured: true,
  };
  const event = JSON.stringify({
    entity: 'event',
    event: 'payment.captured',
    contains: ['payment'],
    payload: { payment: { entity } },
  });
  const signature = createHmac('sha256', secrets.razorpayWebhookSecret).update(event).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-razorpay-signature': signature,
    'x-razorpay-event-id': randomUUID(),
  };
  await measure(samples, send, 'webhook', `${origin}/api/payment/webhook`, {
    method: 'POST',
    headers,
    body: event,
  });
}

/** Asks for a build as the admin page does and waits until its pages are served. Returns the seconds. */
async function rebuild(cookie: string): Promise<number> {
  const builtAt = async (): Promise<string> =>
    ((await (await fetch(`${origin}/build.json`)).json()) as { builtAt: string }).builtAt;
  const before = await builtAt();
  const began = performance.now();
  const asked = await fetch(`${origin}/api/admin/publish`, post({}, { cookie, origin }));
  if (!asked.ok) throw new Error(await asked.text());
  while ((await builtAt()) === before) await new Promise((done) => setTimeout(done, 100));
  return (performance.now() - began) / 1000;
}

try {
  const { adminPassword, shopper } = running;
  const options = { auth: { persistSession: false, autoRefreshToken: false } };
  const session = await createClient(
    origin,
    secrets.publishableKey,
    options,
  ).auth.signInWithPassword(shopper);
  const token = session.data.session?.access_token ?? '';
  const inserted = await createClient(origin, secrets.secretKey, options)
    .from('products')
    .insert({ name: 'Bench ring', category: 'rings', price: 100, stock: purchases })
    .select('id');
  const product = z.tuple([z.object({ id: z.string() })]).parse(inserted.data)[0].id;
  const login = await fetch(
    `${origin}/api/admin/login`,
    post({ password: adminPassword }, { origin }),
  );
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

  const atStart = await memory(again);
  const rebuilt = await rebuild(cookie);
  const afterBuild = await memory(again);
  const admin = createClient(origin, secrets.secretKey, options);
  for (let count = 0; count < purchases; count += 1) {
    if (count % purchasesPerWindow === 0)
      await admin.from('rate_limits').delete().neq('bucket', '');
    await sendWebhook(await buy(again, { samples, send, token, product }));
    await measure(samples, send, 'admin session', `${origin}/api/admin/session`, {
      headers: { cookie },
    });
  }
  const after = await memory(again);
  const busy = await processorTime(again);
  await new Promise((done) => setTimeout(done, 60_000));
  const idle = (await processorTime(again)) - busy;
  await again.stop();

  console.log(
    `first start          ${first.seconds.toFixed(1)} s\nstart on kept data   ${again.seconds.toFixed(1)} s\nrebuild, live after  ${rebuilt.toFixed(1)} s`,
  );
  console.log(
    `memory at the start ${String(atStart)} MB, after the rebuild ${String(afterBuild)} MB, after ${String(purchases)} purchases ${String(after)} MB\nprocessor in an idle minute  ${idle.toFixed(1)} s\n\nmilliseconds      p50     p95`,
  );
  for (const [name, values] of samples)
    console.log(
      `${name.padEnd(14)}${percentile(values, 0.5).padStart(7)} ${percentile(values, 0.95).padStart(7)}`,
    );
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
