import { expect, test } from 'vitest';
import { times } from '../soak.ts';
import { playHistory } from './history.ts';
import { sharedWorld } from './shared-world.ts';

/** `SEED=123` plays one history alone. */
const seed = process.env['SEED'];
const seeds = seed === undefined ? Array.from({ length: times(100, 5_000) }, (_, index) => index + 1) : [Number(seed)];

test('whatever is lost, delayed, doubled or killed: every rupee, every product and every mail is accounted for', async () => {
  const world = await sharedWorld();
  const total = { histories: 0, steps: 0, faults: 0, kills: 0 };
  for (const one of seeds) {
    const { lines, violations, ...history } = await playHistory(world, one);
    expect(violations, [`SEED=${String(one)} npx vitest run --project simulation`, ...lines].join('\n')).toEqual([]);
    total.histories += 1;
    for (const name of ['steps', 'faults', 'kills'] as const) total[name] += history[name];
  }
  process.stdout.write(`${Object.entries(total).map(([name, count]) => `${name} ${String(count)}`).join(', ')}, violations 0\n`);
});

test('the same seed has the same history, to the last call', async () => {
  const world = await sharedWorld();
  const [first, second] = [await playHistory(world, 7), await playHistory(world, 7)];
  expect(second.lines).toEqual(first.lines);
  expect(first.kills + first.faults).toBeGreaterThan(0);
});

test('a fault of the shop is seen: stock that is returned twice', async () => {
  const world = await sharedWorld();
  const { sql } = world.database;
  const [row] = await sql<{ body: string }>(`select pg_get_functiondef('private.return_stock(bigint[])'::regprocedure) as body`);
  const body = row?.body ?? '';
  await sql(body.replace('p.stock + back.quantity', 'p.stock + 2 * back.quantity'));
  try {
    const violations: string[] = [];
    for (const one of [1, 2, 3, 4, 5]) violations.push(...(await playHistory(world, one)).violations);
    expect(violations.join('\n')).toMatch(/in stock and \d+ held or sold are not/u);
  } finally {
    await sql(body);
  }
});
