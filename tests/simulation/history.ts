import { sampleCash } from '#tests/sample-cash.ts';
import { actions, type Scene } from './actions.ts';
import { violationsAtRest } from './invariants.ts';
import { finishAll, type Call, type Fate } from './processes.ts';
import { seededRandom, type Random } from './random.ts';
import { addProduct, sweep, webhook, type Product } from './requests.ts';
import type { World } from './world.ts';

/** The events of one history, and its faults in the end. */
export interface History {
  seed: number;
  lines: string[];
  steps: number;
  faults: number;
  kills: number;
  /** Orders that were paid: a history without any shows nothing. */
  paid: number;
  violations: string[];
}

const steps = 60;
const mostProcesses = 4;
/** Calls whose place among others changes nothing. */
const indifferent =
  /^(?:auth|page|builds|rpc (?:count_cost|unpublished_changes|unused_pictures|end_deleted_products|forget|queue_back_in_stock|read_admin_session|read_order|admin_product))/u;

/** Ids come from chance outside of the seed; a history calls them by their order of appearance. */
function namesOfIds(): (line: string) => string {
  const names = new Map<string, string>();
  return (line) =>
    line.replaceAll(/\b(order|pay|rfnd)_\w{14}\b/gu, (id, kind: string) => {
      if (!names.has(id)) names.set(id, `${kind}#${String(names.size + 1)}`);
      return names.get(id) ?? id;
    });
}

function fateOf(random: Random, { name }: Call): Fate {
  if (!random.percent(10)) return 'answered';
  // A mail is taken or not; the mail server keeps nothing for later.
  return random.pick(
    name === 'mail'
      ? (['refused', 'lost'] as const)
      : (['refused', 'lost', 'lost', 'late'] as const),
  );
}

/** No more faults; Razorpay ends what it has begun, time passes, and sweeps run until nothing is left to do. */
async function comeToRest(
  { world, random, note }: Scene,
  violations: () => Promise<string[]>,
): Promise<string[]> {
  const { razorpay, processes } = world;
  await finishAll(world, random);
  note(`late calls: ${String(await processes.finishLate())}`);
  const isDelivered = random.percent(50);
  for (const payment of razorpay.records.payments.filter(({ status }) => status === 'authorized')) {
    if (random.percent(65)) razorpay.capture(payment);
    else razorpay.expire(payment);
    note(`${payment.id} becomes ${payment.status}`);
  }
  razorpay.setPending(() => false);
  world.mail.setHanging(false);
  let found: string[] = [];
  // Webhooks, sweeps and a reconciliation; more of them while something is left.
  for (const seconds of [8_017, 90_011, 90_011, 90_011, 90_011, 90_011, 90_011]) {
    for (const refund of razorpay.records.refunds.filter(({ status }) => status === 'pending')) {
      razorpay.finishRefund(refund, random.percent(80));
      note(`${refund.id} ${refund.status}`);
    }
    if (isDelivered) {
      for (const delivery of razorpay.deliveries.splice(0)) {
        webhook(world, delivery);
        await finishAll(world, random);
      }
    }
    await world.pass(seconds);
    let summary = '';
    sweep(world, ({ json }) => {
      summary = JSON.stringify({ ...json, catalogue: undefined });
    });
    await finishAll(world, random);
    note(`${String(seconds)} seconds later, a sweep: ${summary}`);
    if (seconds < 90_000) continue;
    found = await violations();
    if (found.length === 0) break;
  }
  return found;
}

/** Plays the history of a seed from an empty shop, and looks at what it leaves. */
export async function playHistory(world: World, seed: number): Promise<History> {
  const random = seededRandom(seed);
  // Half of the histories are of a shop that asks for an advance.
  if (seed % 2 === 0) sampleCash.advance = { percent: 20 };
  else delete sampleCash.advance;
  const nameIds = namesOfIds();
  const history: History = {
    seed,
    lines: [],
    steps: 0,
    faults: 0,
    kills: 0,
    paid: 0,
    violations: [],
  };
  const note = (line: string): void => {
    history.lines.push(nameIds(line));
  };
  await world.reset();
  // A reconciliation is due when a day has passed, not in the first sweep.
  await world.database.sql(
    'insert into public.reconciliations (from_at, to_at, payments) values (now(), now(), 0)',
  );
  const products: Product[] = [1, 2, 3].map((number) => ({
    id: `00000000-0000-4000-9000-00000000000${String(number)}`,
    price: number * 10_000,
    stock: 1 + random.int(4),
    sizes: number === 3 ? ['12', '14'] : [],
  }));
  for (const product of products) await addProduct(world, product);
  world.razorpay.setPending(() => random.percent(25));
  const scene: Scene = {
    world,
    random,
    products,
    checkouts: [],
    responses: [],
    lastPress: new Map(),
    backup: null,
    note,
  };
  const { processes } = world;

  const answerOne = async (call: Call): Promise<void> => {
    history.steps += 1;
    const where = `${call.process.name}: ${call.name}`;
    if (random.percent(5)) {
      const after = random.percent(50);
      if (after) await processes.answer(call, 'lost');
      processes.kill(call.process);
      history.kills += 1;
      note(`${where}: killed ${after ? 'after' : 'before'} it`);
      return;
    }
    const fate = fateOf(random, call);
    if (fate !== 'answered') history.faults += 1;
    note(`${where}${fate === 'answered' ? '' : `: ${fate}`}`);
    await processes.answer(call, fate);
  };
  const happen = async (): Promise<void> => {
    let left = random.int(100);
    for (const [chance, action] of actions) {
      left -= chance;
      if (left >= 0) continue;
      if (await action(scene)) history.steps += 1;
      return;
    }
  };

  while (history.steps < steps) {
    await processes.settle();
    const calls = processes.calls();
    const plain = calls.find(({ name }) => indifferent.test(name));
    if (plain) await processes.answer(plain);
    else if (calls.length > 0 && (processes.live().length >= mostProcesses || random.percent(80)))
      await answerOne(random.pick(calls));
    else if (calls.length === 0 && random.percent(10))
      note(`late calls: ${String(await processes.finishLate())}`);
    else await happen();
  }
  history.violations = await comeToRest(scene, () => violationsAtRest(world, products));
  history.violations = history.violations.map(nameIds);
  const [row] = await world.database.sql<{ paid: number }>(
    `select count(*)::int as paid from public.orders where status = 'COMPLETED'`,
  );
  history.paid = row?.paid ?? 0;
  return history;
}
