import { describe, expect, test } from 'vitest';
import { times } from '../soak.ts';
import { playHistory } from './history.ts';
import { useWorld } from './use-world.ts';

/** `SEED=123` plays one history alone. */
const seed = process.env['SEED'];
const seeds =
  seed === undefined
    ? Array.from({ length: times(25, 5_000) }, (_, index) => index + 1)
    : [Number(seed)];

const world = useWorld();

describe('a history', () => {
  test('with whatever is lost, delayed, doubled or killed ends with every rupee, product and mail accounted for', async () => {
    const total = { histories: 0, steps: 0, faults: 0, kills: 0, paid: 0 };
    for (const one of seeds) {
      const { lines, violations, ...history } = await playHistory(world(), one);
      expect(
        violations,
        [`SEED=${String(one)} npx vitest run --project simulation`, ...lines].join('\n'),
      ).toEqual([]);
      total.histories += 1;
      for (const name of ['steps', 'faults', 'kills', 'paid'] as const)
        total[name] += history[name];
    }
    if (seed === undefined) expect(total.paid).toBeGreaterThan(seeds.length / 2);
    process.stdout.write(
      `${Object.entries(total)
        .map(([name, count]) => `${name} ${String(count)}`)
        .join(', ')}, violations 0\n`,
    );
  });

  test('of the same seed is the same, to the last call', async () => {
    const [first, second] = [await playHistory(world(), 7), await playHistory(world(), 7)];
    expect(second.lines).toEqual(first.lines);
    expect(first.kills + first.faults).toBeGreaterThan(0);
  });

  test('shows a fault of the shop: stock that is returned twice', async () => {
    const { sql } = world().database;
    const [row] = await sql<{ body: string }>(
      `select pg_get_functiondef('private.add_stock(jsonb)'::regprocedure) as body`,
    );
    const body = row?.body ?? '';
    await sql(
      body.replace(
        'p.stock + added.quantity',
        'p.stock + added.quantity + greatest(added.quantity, 0)',
      ),
    );
    try {
      const violations: string[] = [];
      for (const one of [1, 2, 3, 4, 5])
        violations.push(...(await playHistory(world(), one)).violations);
      expect(violations.join('\n')).toMatch(/in stock and \d+ held or sold are not/u);
    } finally {
      await sql(body);
    }
  });
});
