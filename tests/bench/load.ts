/*
 * Many customers at once on the embedded stack: `npm run bench -- load [customers]`. Each opens home, the shop and three
 * products, as a browser does with the reads of current stock, then orders, pays and sees the confirmation, with pauses of
 * one to four seconds, and comes back twice. They arrive within the length of a visit, so that all are there at once and
 * each is somewhere else. Every customer has an address of their own, because limits count addresses. Prints the times of
 * the requests, and the memory and processor time of the stack.
 */
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { createCustomer } from '../browser/account/customers.ts';
import { supabaseAs } from '../browser/support/running-shop.ts';
import { usageOf, withStack, type EmbeddedStack } from './support/embedded-stack.ts';
import {
  buy,
  insertRing,
  measure,
  percentile,
  type Samples,
  type Send,
} from './support/purchase.ts';

const customers = Number(process.argv[2] ?? 200);
const visitsEach = 3;
/** Time within which all customers arrive, in ms: about as long as a visit takes. */
const arrival = 24_000;
const samples: Samples = new Map();

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

interface Customer {
  token: string;
  send: Send;
}

async function visit(
  stack: EmbeddedStack,
  { token, send }: Customer,
  products: readonly string[],
  ring: string,
): Promise<void> {
  const { origin, payments, secrets } = stack;
  const read = (name: string, url: string, headers: Record<string, string> = {}): Promise<string> =>
    measure(samples, send, name, url, { headers });
  const current = (ids: readonly string[]): Promise<string> =>
    read(
      'current stock',
      `${origin}/rest/v1/products?select=id,name,price,offerPrice,stock&id=in.(${ids.join(',')})`,
      { apikey: secrets.publishableKey },
    );
  await think();
  await read('home', `${origin}/`);
  await think();
  await read('shop', `${origin}/shop`);
  await current(products.slice(0, 12));
  for (let opened = 0; opened < 3; opened += 1) {
    await think();
    const id = products[Math.floor(Math.random() * products.length)] ?? ring;
    await read('product', `${origin}/product/${id}`);
    await current([id]);
  }
  await think();
  await read('cart', `${origin}/cart`);
  await current([ring]);
  await think();
  const { orderId } = await buy(stack, { samples, send, token, product: ring, pause: think });
  await read('status', `${origin}/api/payment/status?order_id=${orderId}`, {
    authorization: `Bearer ${token}`,
  });
  // create-order and verify each call the provider once.
  const key = btoa(`${secrets.razorpayKeyId}:${secrets.razorpayKeySecret}`);
  await read('sandbox alone', `${payments}/v1/orders/${orderId}`, {
    authorization: `Basic ${key}`,
  });
}

await withStack(async (stack) => {
  const shop = supabaseAs('shop');
  const rows = z.array(z.object({ id: z.string() }));
  const products = rows.parse((await shop.from('products').select('id')).data).map(({ id }) => id);
  const ring = await insertRing('Load ring', customers * visitsEach);
  const people: Customer[] = [];
  for (let index = 0; index < customers; index += 1)
    people.push({
      token: (await createCustomer()).session.access_token,
      send: sender(`127.0.${String(1 + Math.floor(index / 250))}.${String(1 + (index % 250))}`),
    });

  const [began, before] = [performance.now(), await usageOf(stack.pid)];
  const visits = await Promise.allSettled(
    people.map(async (customer, index) => {
      await wait((index / customers) * arrival);
      for (let count = 0; count < visitsEach; count += 1)
        await visit(stack, customer, products, ring);
    }),
  );
  const [seconds, after] = [(performance.now() - began) / 1000, await usageOf(stack.pid)];
  const failures = visits.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  const left = await shop.from('products').select('stock').eq('id', ring).single();
  const paid = await shop
    .from('orders')
    .select('id', { count: 'exact', head: true })
    .eq('status', 'COMPLETED');

  console.log(
    `${String(customers)} customers in ${seconds.toFixed(0)} s: ${String(failures.length)} errors, ${String(paid.count)} orders paid, stock left ${String(left.data?.stock)}`,
  );
  console.log(
    `The stack started in ${stack.seconds.toFixed(1)} s and used ${String(before.memory)} MB before, ${String(after.memory)} MB after, and ${(after.processor - before.processor).toFixed(1)} s of processor time`,
  );
  for (const failure of new Set(failures)) console.log(`  ${failure.slice(0, 200)}`);
  console.log('\nmilliseconds      count     p50     p95');
  const padded = (value: number | string): string => String(value).padStart(7);
  for (const [name, values] of samples)
    console.log(
      `${name.padEnd(16)}${padded(values.length)} ${padded(percentile(values, 0.5).toFixed(1))} ${padded(percentile(values, 0.95).toFixed(1))}`,
    );
  process.exitCode = failures.length === 0 ? 0 : 1;
});
