/*
 * An upgrade under load: `npm run bench -- upgrade [orders] [version]`. A release, by default the last one, sells, holds and
 * refunds on a data folder of its own. In the middle it stops, and the sources of this commit start with one more
 * migration, while customers go on trying. Then every order, payment, refund, unit and mail is accounted for.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtemp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { readReleases } from '#local/shared/releases.ts';
import { supabaseAs } from '#tests/browser/support/running-shop.ts';
import { extractSources } from '#tests/git-sources.ts';
import { freePort, startEmbeddedStack } from './support/embedded-stack.ts';
import { createCustomerOfRelease } from './support/customer-of-release.ts';
import { installPackages } from './support/release-packages.ts';
import {
  buy,
  insertRing,
  logInAsAdmin,
  post,
  sendByFetch,
  totalPaise,
  webhook,
  type Send,
} from './support/purchase.ts';

const orders = Number(process.argv[2] ?? 60);
const releases = await readReleases();
const release = releases.find(
  ({ version }) => version === (process.argv[3] ?? releases.at(-1)?.version),
);
if (release === undefined) throw new Error('releases.json has no such version');
const [unpaid, stock] = [5, orders + 10];
const folder = await mkdtemp(join(tmpdir(), 'bench-upgrade-'));
const dataDir = join(folder, 'data');

/** The sources of a commit. */
async function checkOut(name: string, commit: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  extractSources(commit, path, []);
  return path;
}

const [before, after] = [await checkOut('before', release.commit), await checkOut('after', 'HEAD')];
await symlink(await installPackages(before), join(before, 'node_modules'));
await symlink(resolve('node_modules'), join(after, 'node_modules'));
await writeFile(
  join(after, 'supabase/migrations/29990101000000_gift_wrap.sql'),
  `alter table public.orders add column gift_wrap text;
   create index orders_gift_wrap_idx on public.orders (gift_wrap) where gift_wrap is not null;\n`,
);

const port = await freePort();
let stack = await startEmbeddedStack(dataDir, { port, sources: before });
const { origin, payments, secrets } = stack;

const stateSchema = z.object({
  payments: z.array(z.looseObject({ id: z.string(), order_id: z.string(), amount: z.number() })),
  refunds: z.array(z.object({ payment_id: z.string(), amount: z.number() })),
});
const readSandbox = async (): Promise<z.infer<typeof stateSchema>> =>
  stateSchema.parse(await (await fetch(`${payments}/state.json`)).json());
const signedPayment = (order: string, payment: string): Record<string, string> => ({
  razorpay_payment_id: payment,
  razorpay_order_id: order,
  razorpay_signature: createHmac('sha256', secrets.razorpayKeySecret)
    .update(`${order}|${payment}`)
    .digest('hex'),
});

/** Checkout's result for the payment of an order; null when there is none yet. */
async function findPayment(body: string): Promise<Record<string, string> | null> {
  const { order_id: order } = z.object({ order_id: z.string() }).parse(JSON.parse(body));
  const state = await readSandbox().catch(() => null);
  const payment = state?.payments.find((one) => one.order_id === order);
  return payment ? signedPayment(order, payment.id) : null;
}

/** Forgets what this machine has cost the shop. Up to 1.1.0 that is in `rate_limits`, since then in `costs`: one of the two may be missing. */
async function clearLimits(): Promise<void> {
  await supabaseAs('shop').from('rate_limits').delete().neq('bucket', '');
  await supabaseAs('shop').from('costs').delete().neq('effect', 'fee_lost');
}

let turnedAway = 0;
/** Sends as a page that stores its idempotency key: until somebody answers. */
const send: Send = async (url, init) => {
  for (;;) {
    // Nothing listens while the shop is being replaced.
    const answer = await sendByFetch(url, init).catch(() => ({ status: 503, text: '' }));
    // Customers order faster here than people do.
    if (answer.status === 429) await clearLimits();
    else if (answer.status !== 503) return answer;
    turnedAway += 1;
    await pause(200);
    // Razorpay, which stops with the shop here alone, may have taken the money although its answer was lost.
    const paid = url.endsWith('/checkout/pay') ? await findPayment(init?.body ?? '') : null;
    if (paid !== null) return { status: 200, text: JSON.stringify(paid) };
  }
};
const rows = async (table: string, columns: string): Promise<Record<string, unknown>[]> => {
  const { data } = await supabaseAs('shop').from(table).select(columns);
  return z.array(z.record(z.string(), z.unknown())).parse(data);
};

let failures = 0;
function check(holds: boolean, sentence: string): void {
  console.log(`${holds ? 'ok   ' : 'WRONG'} ${sentence}`);
  if (!holds) failures += 1;
}

try {
  const product = await insertRing('Upgrade ring', stock);
  const tokens: string[] = [];
  while (tokens.length < orders) {
    await clearLimits();
    tokens.push(await createCustomerOfRelease());
  }
  const cookie = await logInAsAdmin();

  const paid = new Map<string, string>();
  const refunded = new Set<string>();
  const held = new Set<number>();
  let [startedAgain, heldInUpgrade, deliveries] = [0, 0, 0];
  let upgrade: Promise<void> | undefined;

  async function replaceShop(): Promise<void> {
    heldInUpgrade = held.size;
    const began = performance.now();
    await stack.stop();
    stack = await startEmbeddedStack(dataDir, { port, sources: after });
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`      replaced in ${seconds} s with ${String(heldInUpgrade)} orders held`);
  }

  /** An order whose payment could not be prepared, because the shop stopped, ends: the page says so, and the customer orders again. */
  async function buyOnce(token: string, whileHeld: () => Promise<void>): ReturnType<typeof buy> {
    try {
      return await buy(stack, { send, token, product, pause: whileHeld });
    } catch (error) {
      if (!String(error).includes('"outcome":"expired"')) throw error;
      startedAgain += 1;
      return buyOnce(token, whileHeld);
    }
  }

  /** Sends Razorpay's reports of a payment, which come once or again: its webhook and the form of in-app browsers. */
  async function deliver(orderId: string, paymentId: string): Promise<void> {
    const event = webhook(secrets.razorpayWebhookSecret, `bench${paymentId}`, 'payment.captured', {
      id: paymentId,
      order_id: orderId,
      amount: totalPaise,
      currency: 'INR',
      status: 'captured',
      captured: true,
      method: 'upi',
    });
    const form = {
      method: 'POST',
      body: new URLSearchParams(signedPayment(orderId, paymentId)).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    for (const [name, sent] of [
      ['webhook', event],
      ['callback', form],
    ] as const) {
      const { status, text } = await send(`${origin}/api/payment/${name}`, sent);
      if (status !== 200) throw new Error(`${name} answered ${String(status)}: ${text}`);
    }
    deliveries += 1;
  }

  /** Refunds an order as the admin, and puts its unit back into stock. */
  async function refund(number: number, paymentId: string): Promise<void> {
    const request = {
      key: randomUUID(),
      amountPaise: totalPaise,
      reason: 'Bench',
      restock: [{ productId: product, quantity: 1 }],
    };
    const { status, text } = await send(
      `${origin}/api/admin/orders/${String(number)}/refund`,
      post(request, { cookie, origin }),
    );
    if (status !== 200) throw new Error(`refund answered ${String(status)}: ${text}`);
    refunded.add(paymentId);
  }

  /** Orders for one customer after another: order, a moment, payment; every third order is refunded. */
  async function work(): Promise<void> {
    for (let token = tokens.pop(); token !== undefined; token = tokens.pop()) {
      const left = tokens.length;
      const { number, orderId, paymentId } = await buyOnce(token, async () => {
        held.add(left);
        if (left === Math.floor(orders / 2)) upgrade ??= replaceShop();
        // The old shop serves for up to 3 s while it stops: customers who take their time are still there when it is gone.
        await pause(upgrade === undefined ? 100 : 1_000);
      });
      held.delete(left);
      paid.set(orderId, paymentId);
      await deliver(orderId, paymentId);
      if (left % 3 === 0) await refund(number, paymentId);
    }
  }
  await Promise.all(Array.from({ length: 8 }, work));
  await upgrade;
  // Whatever came before the upgrade comes once more after it.
  for (const [orderId, paymentId] of paid) await deliver(orderId, paymentId);

  // Orders that nobody pays: they hold their units.
  for (let count = 0; count < unpaid; count += 1) {
    await clearLimits();
    const token = await createCustomerOfRelease();
    await buyOnce(token, () => Promise.reject(new Error('gone'))).catch(() => undefined);
  }
  // The sweep sends what the stopped process had begun; alone it would come in five minutes.
  while ((await rows('outbox', 'sent_at')).some((row) => row['sent_at'] === null)) {
    await fetch(`${origin}/local/sweep`, { method: 'POST' });
    await pause(500);
  }

  const stored = await rows('orders', '*');
  const refunds = await rows('refunds', 'payment_id,amount_paise,state');
  const state = await readSandbox();
  const completed = stored.filter((row) => row['payment_id'] !== null);
  const left = (await rows('products', 'id,stock')).find((row) => row['id'] === product)?.['stock'];
  const kinds = (await rows('outbox', 'kind')).map((row) => row['kind']);
  const mails = kinds.filter((kind) => kind === 'order_confirmation').length;

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
  check(
    false,
    `it came to its end: ${error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error)}`,
  );
} finally {
  // A shop that could not be replaced does not run.
  await stack.stop().catch((error: unknown) => {
    console.error(error);
  });
  await rm(folder, { recursive: true, force: true });
}
if (failures > 0) process.exit(1);
