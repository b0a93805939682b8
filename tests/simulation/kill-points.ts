import { violationsAtRest } from './invariants.ts';
import { finishAll, type Process } from './processes.ts';
import { seededRandom } from './random.ts';
import * as requests from './requests.ts';
import type { CheckoutResponse, Product } from './requests.ts';
import type { Customer, World } from './world.ts';

/** An order that a scenario begins with. */
interface Begun {
  order: number;
  orderId: string;
}

/** The request to a function, in a shop with one order of two rings. */
export interface Scenario {
  name: string;
  /** How the order stands. */
  begin: 'none' | 'open' | 'paid at Razorpay' | 'paid';
  start: (world: World, begun: Begun, response: CheckoutResponse | null) => Process;
}

const ring: Product = {
  id: '00000000-0000-4000-9000-000000000001',
  price: 100_000,
  stock: 3,
  sizes: [],
};
const lines = [{ product: ring, quantity: 2 }];
const key = '11111111-1111-4111-8111-111111111111';
const refundKey = '22222222-2222-4222-8222-222222222222';
const random = seededRandom(1);

function customerOf({ customers: [first] }: World): Customer {
  return required(first);
}
function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined)
    throw new Error('The scenario has not begun as it should');
  return value;
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'create-order',
    begin: 'none',
    start: (world) => requests.createOrder(world, customerOf(world), key, lines),
  },
  {
    name: 'verify',
    begin: 'paid at Razorpay',
    start: (world, _, response) => requests.verify(world, customerOf(world), required(response)),
  },
  {
    name: 'callback',
    begin: 'paid at Razorpay',
    start: (world, _, response) => requests.callback(world, required(response)),
  },
  {
    name: 'webhook',
    begin: 'paid at Razorpay',
    start: (world) => requests.webhook(world, required(world.razorpay.deliveries[0])),
  },
  { name: 'sweep of an unpaid order', begin: 'open', start: (world) => requests.sweep(world) },
  {
    name: 'sweep of a paid order',
    begin: 'paid at Razorpay',
    start: (world) => requests.sweep(world),
  },
  {
    name: 'refund',
    begin: 'paid',
    start: (world, { order }) =>
      requests.refund(world, order, refundKey, 5_000, [{ productId: ring.id, quantity: 1 }]),
  },
  {
    name: 'cancel',
    begin: 'paid',
    start: (world, { order }) => requests.cancel(world, order, refundKey, true),
  },
  {
    name: 'cancel of an order that is paid at Razorpay',
    begin: 'paid at Razorpay',
    start: (world, { order }) => requests.cancel(world, order, refundKey, true),
  },
  ...(
    [
      ['a customer cancels', 'paid'],
      ['a customer gives up', 'open'],
      ['a customer gives up what is paid at Razorpay', 'paid at Razorpay'],
    ] as const
  ).map(([name, state]): Scenario => ({
    name,
    begin: state,
    start: (world, { order }) =>
      requests.cancelOwn(world, customerOf(world), order, {
        key: refundKey,
        paid: state === 'paid',
      }),
  })),
];

/** A shop in which the scenario's function has been started. */
async function begin(world: World, { begin: state, start }: Scenario): Promise<Process> {
  await world.reset();
  await world.database.sql(
    'insert into public.reconciliations (from_at, to_at, payments) values (now(), now(), 0)',
  );
  await requests.addProduct(world, ring);
  if (state === 'none') return start(world, { order: 0, orderId: '' }, null);
  const begun: Begun = { order: 0, orderId: '' };
  requests.createOrder(world, customerOf(world), key, lines, ({ json }) => {
    begun.order = (json['order'] as { number: number }).number;
    begun.orderId = String(json['order_id']);
  });
  await finishAll(world, random);
  await world.database.sql('delete from public.costs where true');
  const response = state === 'open' ? null : world.razorpay.pay(begun.orderId, {});
  if (state === 'paid') {
    requests.verify(world, customerOf(world), required(response));
    await finishAll(world, random);
  }
  // The hold is over, so that a sweep has something to do.
  await world.pass(1_009);
  return start(world, begun, response);
}

/**
 * Runs the scenario and kills its function at one call: the `index`-th, before it is sent or after it had its effect. Then
 * time passes, and one sweep runs. Returns null when the function makes fewer calls, else what is wrong afterwards.
 */
export async function killAt(
  world: World,
  scenario: Scenario,
  index: number,
  when: 'before' | 'after',
): Promise<{ call: string; violations: string[] } | null> {
  const { processes } = world;
  const process = await begin(world, scenario);
  for (let made = 0; ; made += 1) {
    await processes.settle();
    const [call] = processes.calls();
    if (!call) return null;
    if (made < index) {
      await processes.answer(call);
      continue;
    }
    if (when === 'after') await processes.answer(call, 'lost');
    processes.kill(process);
    await world.pass(1_009);
    requests.sweep(world);
    await finishAll(world, random);
    return { call: call.name, violations: await violationsAtRest(world, [ring]) };
  }
}
