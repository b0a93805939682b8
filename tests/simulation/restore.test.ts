import { expect, test } from 'vitest';
import { restoreBackup, takeBackup } from './backup.ts';
import { breakLine } from './break-line.ts';
import { violationsAtRest } from './invariants.ts';
import { finishAll } from './processes.ts';
import { seededRandom } from './random.ts';
import * as requests from './requests.ts';
import type { Product } from './requests.ts';
import { useWorld } from './use-world.ts';
import type { Customer } from './world.ts';
import { shop } from '#settings/shop.ts';

const world = useWorld();
const random = seededRandom(1);
const ring: Product = {
  id: '00000000-0000-4000-9000-000000000001',
  price: 100_000,
  stock: 9,
  sizes: [],
};

const rest = async (): Promise<void> => {
  await finishAll(world(), random);
  await world().database.sql('delete from public.costs where true');
};

async function order(customer: Customer): Promise<{ number: number; orderId: string }> {
  const placed = { number: 0, orderId: '' };
  requests.createOrder(
    world(),
    customer,
    random.uuid(),
    [{ product: ring, quantity: 1 }],
    (answer) => {
      placed.orderId = String(answer.json['order_id']);
      placed.number = (answer.json['order'] as { number: number }).number;
    },
  );
  await rest();
  return placed;
}

async function pay(customer: Customer, { orderId }: { orderId: string }): Promise<void> {
  requests.verify(world(), customer, world().razorpay.pay(orderId, { status: 'captured' }));
  await rest();
}

/** An order that is paid, and sent with its invoice. */
async function sell(customer: Customer): Promise<void> {
  const placed = await order(customer);
  await pay(customer, placed);
  requests.fulfil(world(), placed.number, 'shipped');
  await rest();
}

/** The shop sells, is backed up, sells more, loses its database, and sells again. Returns what does not hold then. */
async function violationsOfRestore(): Promise<string[]> {
  await world().reset();
  await requests.addProduct(world(), ring);
  const [first, second, third] = world().customers;
  if (!first || !second || !third) throw new Error('No customers');
  await sell(first);
  const open = await order(second);
  await world().database.sql(
    `select public.notify_admin('difference', '{"kind": "refunds_differ"}', 'waits')`,
  );
  const backup = await takeBackup(world());
  await pay(second, open);
  await sell(third);
  await world().pass(8_017);
  await restoreBackup(world(), backup);
  // The database is lost once more, before anybody made a newer backup.
  await restoreBackup(world(), backup);
  await sell(first);
  for (let day = 0; day < 3; day += 1) {
    requests.sweep(world());
    await rest();
    await world().pass(90_011);
  }
  return violationsAtRest(world(), [ring]);
}

test('a shop that was restored from an old backup goes on with every rupee, number and mail accounted for', async () => {
  expect(await violationsOfRestore()).toEqual([]);
});

test.each([
  [
    'order numbers',
    'greatest(v_last_order, v_sequence.last)',
    'v_sequence.last',
    /^order \d+ was issued twice/mu,
  ],
  [
    'numbers of documents',
    'where d.number is not null',
    'where false',
    new RegExp(`^${shop.prefixes.invoice}\\S+ was issued twice`, 'mu'),
  ],
  [
    'confirmations of sold orders',
    'o.payment_id is null',
    'false',
    /order_confirmation:\d+ was sent twice/u,
  ],
  [
    'mails that waited',
    'sent_at is null and created_at',
    'false and created_at',
    /the mail waits was sent twice/u,
  ],
] as const)('it is seen when a restore forgets the %s', async (_, line, instead, shown) => {
  const after = { in: 'public.after_restore(timestamptz,bigint,text,text)', line, instead };
  const violations = await breakLine(world(), after, violationsOfRestore);
  expect(violations.join('\n')).toMatch(shown);
});
