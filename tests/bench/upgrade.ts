/*
 * An upgrade under load: `npm run bench -- upgrade [orders]`. The last release (before the first one: the last commit) sells, holds and
 * refunds on a data folder of its own. In the middle it stops, and the sources of this commit start with one more
 * migration, while customers go on trying. Then every order, payment, refund, unit and mail is accounted for.
 */
import { mkdtemp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createHmac, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import * as z from 'zod';
import { readReleases } from '../../local/shared/releases.ts';
import { extractSources } from '../git-sources.ts';
import { freePort, startEmbeddedStack } from './embedded-stack.ts';
import { buy, post, totalPaise, type Send } from './purchase.ts';

const orders = Number(process.argv[2] ?? 60);
const stock = orders + 10;
const folder = await mkdtemp(join(tmpdir(), 'bench-upgrade-'));
const dataDir = join(folder, 'data');
const commit = (await readReleases()).at(-1)?.commit ?? 'HEAD';

/** The sources of a commit, with the installed packages. */
async function checkOut(name: string, of: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  extractSources(of, path, []);
  await symlink(resolve('node_modules'), join(path, 'node_modules'));
  return path;
}

const [before, after] = [await checkOut('before', commit), await checkOut('after', 'HEAD')];
await writeFile(
  join(after, 'supabase/migrations/29990101000000_gift_wrap.sql'),
  `alter table public.orders add column gift_wrap text;
   create index orders_gift_wrap_idx on public.orders (gift_wrap) where gift_wrap is not null;\n`,
);

const port = await freePort();
let stack = await startEmbeddedStack(dataDir, port, before);
const { origin, secrets, running } = stack;
const options = { auth: { persistSession: false, autoRefreshToken: false } };
const pause = async (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

let turnedAway = 0;
const stateSchema = z.object({
  payments: z.array(z.looseObject({ id: z.string(), order_id: z.string(), amount: z.number() })),
  refunds: z.array(z.object({ payment_id: z.string(), amount: z.number() })),
});
const readSandbox = async (): Promise<z.infer<typeof stateSchema>> =>
  stateSchema.parse(await (await fetch(`${stack.sandboxOrigin}/local/razorpay/state.json`)).json());

/** The same, however long the shop takes to be replaced. */
async function readSandboxOnceUp(): ReturnType<typeof readSandbox> {
  for (;;) {
    const state = await readSandbox().catch(() => null);
    if (state) return state;
    await pause(200);
  }
}

/** Checkout's result for the payment of an order; null when there is none yet. */
async function findPayment(body: string): Promise<Record<string, string> | null> {
  const { order_id: order } = z.object({ order_id: z.string() }).parse(JSON.parse(body));
  const state = await readSandbox().catch(() => null);
  const payment = state?.payments.find((one) => one.order_id === order);
  if (!payment) return null;
  const signature = createHmac('sha256', secrets.razorpayKeySecret)
    .update(`${order}|${payment.id}`)
    .digest('hex');
  return {
    razorpay_payment_id: payment.id,
    razorpay_order_id: order,
    razorpay_signature: signature,
  };
}

/** As a page that keeps its idempotency key: tries until somebody answers. */
const send: Send = async (url, init) => {
  for (;;) {
    try {
      const response = await fetch(url, init);
      const text = await response.text();
      if (response.status === 429) await forgetLimits();
      else if (response.status !== 503) return { status: response.status, text };
    } catch {
      // Nothing listens while the shop is being replaced.
    }
    turnedAway += 1;
    await pause(200);
    // Razorpay, which stops with the shop here alone, may have taken the money although its answer was lost.
    const paid = url.endsWith('/checkout/pay') ? await findPayment(init?.body ?? '') : null;
    if (paid !== null) return { status: 200, text: JSON.stringify(paid) };
  }
};
const admin = createClient(origin, secrets.secretKey, {
  ...options,
  global: {
    async fetch(input, init) {
      const url = input instanceof Request ? input.url : String(input);
      for (;;) {
        const response = await fetch(url, init).catch(() => null);
        if (response && response.status !== 503) return response;
        await pause(200);
      }
    },
  },
});

/** Customers order faster here than people do. */
async function forgetLimits(): Promise<void> {
  await admin.from('rate_limits').delete().neq('bucket', '');
}

const rows = async (table: string, columns: string): Promise<Record<string, unknown>[]> =>
  z.array(z.record(z.string(), z.unknown())).parse((await admin.from(table).select(columns)).data);

const mailSchema = z.array(z.object({ links: z.array(z.string()) }));

/** A customer whose address is confirmed by the link of the mail. Resolves to the token. */
async function signUp(): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  const client = createClient(origin, secrets.publishableKey, options);
  const { error } = await client.auth.signUp({ email, password: randomUUID() });
  if (error) throw error;
  for (;;) {
    const mails: unknown = await (await fetch(`${origin}/local/mailbox.json?to=${email}`)).json();
    const link = mailSchema.parse(mails)[0]?.links.find((address) => address.includes('verify'));
    if (link !== undefined) {
      const { headers } = await fetch(link, { redirect: 'manual' });
      const fragment = new URL(headers.get('location') ?? '', origin).hash.slice(1);
      return new URLSearchParams(fragment).get('access_token') ?? '';
    }
    await pause(50);
  }
}

const failures: string[] = [];
function check(holds: boolean, sentence: string): void {
  console.log(`${holds ? 'ok   ' : 'WRONG'} ${sentence}`);
  if (!holds) failures.push(sentence);
}

try {
  const customers = 8;
  const unpaid = 5;
  const inserted = await admin
    .from('products')
    .insert({ name: 'Upgrade ring', category: 'rings', price: 100, stock })
    .select('id');
  const product = z.tuple([z.object({ id: z.string() })]).parse(inserted.data)[0].id;
  const tokens: string[] = [];
  while (tokens.length < customers + unpaid) tokens.push(await signUp());
  const answer = await fetch(
    `${origin}/api/admin/login`,
    post({ password: running.adminPassword }, { origin }),
  );
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

  const paid = new Map<string, string>();
  const refunded = new Set<string>();
  const held = new Set<string>();
  let begun = 0;
  let upgrade: Promise<void> | undefined;
  let heldInUpgrade = 0;

  async function replaceShop(): Promise<void> {
    heldInUpgrade = held.size;
    const began = performance.now();
    await stack.stop();
    stack = await startEmbeddedStack(dataDir, port, after);
    console.log(
      `      replaced in ${((performance.now() - began) / 1000).toFixed(1)} s, while ${String(heldInUpgrade)} orders were held`,
    );
  }

  let startedAgain = 0;
  /** An order whose payment could not be prepared, because the shop stopped, ends: the page says so, and the customer orders again. */
  async function buyOnce(token: string, whileHeld: () => Promise<void>): ReturnType<typeof buy> {
    try {
      return await buy(stack, { samples: new Map(), send, token, product, pause: whileHeld });
    } catch (error) {
      if (!String(error).includes('"outcome":"expired"')) throw error;
      startedAgain += 1;
      return buyOnce(token, whileHeld);
    }
  }

  /** Razorpay's reports of a payment, which come once or again: its webhook and the form of in-app browsers. */
  const sent = new Map<string, string>();
  let deliveries = 0;
  async function deliver(orderId: string, paymentId: string): Promise<void> {
    const payment = (await readSandboxOnceUp()).payments.find(({ id }) => id === paymentId);
    const body =
      sent.get(paymentId) ??
      JSON.stringify({ event: 'payment.captured', payload: { payment: { entity: payment } } });
    sent.set(paymentId, body);
    const signed = (secret: string, text: string): string =>
      createHmac('sha256', secret).update(text).digest('hex');
    const webhook = await send(`${origin}/api/payment/webhook`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-razorpay-signature': signed(secrets.razorpayWebhookSecret, body),
        'x-razorpay-event-id': `bench${paymentId}`,
      },
    });
    const form = {
      razorpay_payment_id: paymentId,
      razorpay_order_id: orderId,
      razorpay_signature: signed(secrets.razorpayKeySecret, `${orderId}|${paymentId}`),
    };
    const callback = await send(`${origin}/api/payment/callback`, {
      method: 'POST',
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    if (webhook.status !== 200 || callback.status !== 200)
      throw new Error(
        `sent again, the webhook answered ${String(webhook.status)}, the form ${String(callback.status)}: ${callback.text.slice(0, 200)}`,
      );
    deliveries += 1;
  }

  /** One order after another: order, a moment, payment; every third order is refunded. The last ones are left unpaid. */
  async function customer(token: string): Promise<void> {
    while (begun < orders) {
      begun += 1;
      const number = begun;
      const key = String(number);
      const { orderId, paymentId } = await buyOnce(token, async () => {
        held.add(key);
        if (number === Math.floor(orders / 2)) upgrade ??= replaceShop();
        await pause(100);
      });
      held.delete(key);
      paid.set(orderId, paymentId);
      await deliver(orderId, paymentId);
      if (number % 3 !== 0) continue;
      const [row] = z
        .array(z.object({ id: z.number() }))
        .parse((await admin.from('orders').select('id').eq('razorpay_order_id', orderId)).data);
      const request = {
        key: randomUUID(),
        amountPaise: totalPaise,
        reason: 'Bench',
        restock: [{ productId: product, quantity: 1 }],
      };
      const refund = await send(
        `${origin}/api/admin/orders/${String(row?.id)}/refund`,
        post(request, { cookie, origin }),
      );
      if (refund.status !== 200)
        throw new Error(`refund answered ${String(refund.status)}: ${refund.text}`);
      refunded.add(paymentId);
    }
  }
  await Promise.all(tokens.slice(0, customers).map(customer));
  await upgrade;
  // Whatever came before the upgrade comes once more after it.
  for (const [orderId, paymentId] of paid) await deliver(orderId, paymentId);

  // Orders that nobody pays: they hold their units.
  for (const token of tokens.slice(customers)) {
    const gone = buyOnce(token, async () => Promise.reject(new Error('gone')));
    await gone.catch(() => undefined);
  }
  const waiting = async (): Promise<number> =>
    (await rows('outbox', 'sent_at')).filter((row) => row['sent_at'] === null).length;
  // The sweep sends what the stopped process had begun; alone it would come in five minutes.
  while ((await waiting()) > 0) {
    await fetch(`${origin}/local/sweep`, { method: 'POST' });
    await pause(500);
  }

  const stored = await rows('orders', '*');
  const refunds = await rows('refunds', 'payment_id,amount_paise,state');
  const state = await readSandbox();
  const completed = stored.filter((row) => row['payment_id'] !== null);
  const [row] = z
    .array(z.object({ stock: z.number() }))
    .parse((await admin.from('products').select('stock').eq('id', product)).data);
  const left = row?.stock;
  const mails = (await rows('outbox', 'kind')).filter(
    (row) => row['kind'] === 'order_confirmation',
  ).length;

  check('gift_wrap' in (stored[0] ?? {}), 'the new migration is applied');
  check(
    heldInUpgrade > 0 && turnedAway > 0,
    `orders were held and requests waited during the upgrade (${String(turnedAway)} tries)`,
  );
  check(paid.size === orders, `${String(paid.size)} of ${String(orders)} orders were paid`);
  check(
    completed.length === paid.size &&
      completed.every((row) => paid.get(String(row['razorpay_order_id'])) === row['payment_id']),
    `${String(completed.length)} orders in the database have the payment that their customer made`,
  );
  check(
    state.payments.length === paid.size &&
      state.payments.every(({ amount }) => amount === totalPaise),
    `${String(state.payments.length)} payments at Razorpay, each of one order`,
  );
  check(
    refunds.length === refunded.size &&
      refunds.every(
        (row) => refunded.has(String(row['payment_id'])) && row['state'] === 'processed',
      ) &&
      state.refunds.length === refunded.size &&
      state.refunds.every(
        ({ payment_id: id, amount }) => refunded.has(id) && amount === totalPaise,
      ),
    `${String(refunds.length)} refunds, in the shop and at Razorpay, of ${String(refunded.size)} requested`,
  );
  check(
    stored.length === orders + unpaid + startedAgain &&
      left === stock - orders - unpaid + refunded.size,
    `${String(unpaid)} unpaid orders hold a unit each, refunded ones gave theirs back: ${String(left)} of ${String(stock)} left`,
  );
  check(
    deliveries === 2 * orders && mails === orders,
    `${String(mails)} confirmations were sent, though each payment was reported ${String(deliveries / orders + 1)} times, before and after the upgrade`,
  );
} catch (error) {
  check(false, `it came to its end: ${String(error)}`);
} finally {
  // A shop that could not be replaced does not run.
  await stack.stop().catch((error: unknown) => {
    console.error(error);
  });
  await rm(folder, { recursive: true, force: true });
}
if (failures.length > 0) process.exit(1);
