/*
 * `npm run bench -- credits`: what the shop costs in Netlify's credits, at rest, per 1,000 visits and per 100 orders. Counts the
 * calls, requests and bytes on the embedded stack; the functions run as a deploy bundles them, each in a new process, and a real
 * Chromium visits the pages on a phone. Milliseconds are of this machine; the way to the database is computed, from the calls in
 * a row and a round trip (support/credits.ts), because the embedded one is on this machine. Compute is an upper bound: on Netlify a process
 * serves several calls. README and docs/measured.md have the tables.
 */
import { createCustomer } from '#tests/browser/account/customers.ts';
import { supabaseAs } from '#tests/browser/support/running-shop.ts';
import { creditsOf, everyFiveMinutes, places, sum } from './support/credits.ts';
import { rebuild, withStack, type EmbeddedStack } from './support/embedded-stack.ts';
import {
  costOf,
  leastOf,
  measureFunctions,
  useOf,
  type Cost,
  type MeasuredFunctions,
  type Run,
} from './support/measured-functions.ts';
import { measureVisits } from './support/measured-visits.ts';
import { fixed, head, row } from './support/printed-table.ts';
import { buy, insertRing, post, webhook } from './support/purchase.ts';

/** Ms of a round trip in the second run of each function; the difference tells how many calls come one after another. */
const farMs = 400;

/** The least of several, because whatever else the machine does makes a run longer. */
const runs = 3;

/** Runs the work by turns without a way and with a long one, and compares the calls that it made. */
async function compare(functions: MeasuredFunctions, work: () => Promise<void>): Promise<Cost[]> {
  const least: Record<'near' | 'far', Run[]> = { near: [], far: [] };
  for (let count = 0; count < runs; count += 1)
    for (const [name, delay] of [
      ['near', 0],
      ['far', farMs],
    ] as const) {
      functions.setDelay(delay);
      functions.take();
      await work();
      const run = functions.take();
      least[name] = count === 0 ? run : least[name].map((before, at) => leastOf(before, run[at]));
    }
  functions.setDelay(0);
  return least.near.map((near, at) => costOf(near, least.far[at] ?? near, farMs));
}

function printCalls(costs: readonly Cost[]): void {
  head('function', 'database', 'Razorpay', 'own site', 'others', 'in a row', 'own ms');
  for (const { name, database, razorpay, site, others, inRow, own } of costs)
    row(name, database, razorpay, site, others, inRow, fixed(own * 1000, 0));
  console.log();
}

/** The events of a deploy, as Netlify sends them. */
const deployEvent = (event: string, state: string): Parameters<MeasuredFunctions['call']>[1] => ({
  ...post({
    site: { id: 'embedded' },
    payload: { id: 'bench', state, context: 'production', created_at: new Date().toISOString() },
  }),
  headers: { 'x-netlify-event': event, 'content-type': 'application/json' },
});

async function orderOnce(
  stack: EmbeddedStack,
  functions: MeasuredFunctions,
  product: string,
): Promise<void> {
  const { origin, payments, secrets } = stack;
  const token = (await createCustomer()).session.access_token;
  const { send } = functions;
  const { orderId, paymentId } = await buy(stack, { token, product, send });
  const key = btoa(`${secrets.razorpayKeyId}:${secrets.razorpayKeySecret}`);
  const payment = (await (
    await fetch(`${payments}/v1/payments/${paymentId}`, {
      headers: { authorization: `Basic ${key}` },
    })
  ).json()) as object;
  for (const event of ['payment.authorized', 'payment.captured', 'order.paid'])
    await send(
      `${origin}/api/payment/webhook`,
      webhook(secrets.razorpayWebhookSecret, `${event} ${orderId}`, event, payment),
    );
  await send(`${origin}/api/payment/status?order_id=${orderId}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  // Mail that waits, so that a sweep has nothing to do.
  await fetch(`${origin}/local/sweep`, { method: 'POST' });
}

await withStack(async (stack) => {
  const functions = await measureFunctions(stack);
  const sweep = (): Promise<string> => functions.call('payment-sweep', post({}));
  // The live build is a reported one, as on Netlify. Then come the daily comparison and deletion, and what the demo brings.
  await rebuild(stack.origin);
  for (let count = 0; count < 2; count += 1)
    await fetch(`${stack.origin}/local/sweep`, { method: 'POST' });

  console.log('## Calls\n');
  const rest = await compare(functions, async () => {
    await sweep();
    const { status, text } = await functions.send(`${stack.origin}/api/health`);
    if (status !== 200) throw new Error(`The shop is not well: ${text}`);
  });
  console.log('With nothing to do:\n');
  printCalls(rest);

  const visits = await measureVisits(stack);
  const behind = await compare(functions, async () => {
    await functions.send(`${stack.origin}/api/notice`);
    await functions.send(`${stack.origin}/api/catalogue/withdrawn`);
  });
  console.log('Behind a visit that comes alone, while the CDN answers with what it has:\n');
  printCalls(behind);

  const product = await insertRing('Credits ring', 10);
  const publish = await compare(functions, async () => {
    await supabaseAs('shop')
      .from('products')
      .update({ name: `Credits ring ${String(Math.random())}` })
      .eq('id', product);
    const at = new Date(Date.now() - 60_000).toISOString();
    await supabaseAs('shop').from('product_changes').update({ at }).gte('version', 0);
    await supabaseAs('shop').from('builds').delete().gte('id', 0);
    await sweep();
    for (const [event, state] of [
      ['deploy_building', 'building'],
      ['deploy_succeeded', 'ready'],
    ] as const)
      await functions.call('deploy-events', deployEvent(event, state));
  });
  console.log('A sweep that publishes, and the events of its deploy:\n');
  printCalls(publish);

  const order = await compare(functions, () => orderOnce(stack, functions, product));
  console.log('An order:\n');
  printCalls(order);
  await functions.close();

  console.log('## Credits\n');
  head('', ...places.map(({ name }) => name));
  const [sweepCost, healthCost] = rest as [Cost, Cost];
  const line = (name: string, credits: (roundTrip: number) => number): void => {
    row(name, ...places.map(({ roundTrip }) => fixed(credits(roundTrip))));
  };
  const monthly = (cost: Cost) => (roundTrip: number) =>
    creditsOf(useOf(cost, roundTrip), everyFiveMinutes);
  line('30 days at rest: the sweep', monthly(sweepCost));
  line('– a monitor that asks every five minutes', monthly(healthCost));
  line('– one that asks every minute, at most', (trip) => 5 * monthly(healthCost)(trip));
  line(
    '– the sweep and the monitor of five minutes',
    (trip) => monthly(sweepCost)(trip) + monthly(healthCost)(trip),
  );
  line('1,000 first visits of three pages', () => creditsOf(visits.first, 1_000));
  line('– the functions behind them, when each comes alone', (trip) =>
    creditsOf(sum(behind.map((cost) => ({ ...useOf(cost, trip), requests: cost.site }))), 1_000),
  );
  line('1,000 visits of the same pages again', () => creditsOf(visits.again, 1_000));
  line('100 orders, the functions alone', (trip) =>
    creditsOf(sum(order.map((cost) => useOf(cost, trip))), 100),
  );
  line('a publish', (trip) =>
    creditsOf(sum([{ deploys: 1 }, ...publish.map((cost) => useOf(cost, trip))])),
  );
});
process.exit();
