import { describe, expect, test } from 'vitest';
import { times } from '#tests/soak.ts';
import { breakLine } from './break-line.ts';
import { playHistory } from './history.ts';
import { useWorld } from './use-world.ts';

/** `SEED=123` plays one history alone. */
const seed = process.env['SEED'];
const seeds =
  seed === undefined
    ? Array.from({ length: times(8, 5_000) }, (_, index) => index + 1)
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
    if (seed === undefined) expect(total.paid).toBeGreaterThan(seeds.length / 4);
    process.stdout.write(
      `${Object.entries(total)
        .map(([name, count]) => `${name} ${String(count)}`)
        .join(', ')}, violations 0\n`,
    );
  });

  test('a history of the same seed is the same, to the last call', async () => {
    const [first, second] = [await playHistory(world(), 7), await playHistory(world(), 7)];
    expect(second.lines).toEqual(first.lines);
    expect(first.kills + first.faults).toBeGreaterThan(0);
  });

  test.each([
    {
      fault: 'stock that is returned twice',
      in: 'private.add_stock(jsonb)',
      line: 'p.stock + added.quantity',
      instead: 'p.stock + added.quantity + greatest(added.quantity, 0)',
      from: 1,
      shown: /in stock and \d+ held or sold are not/u,
    },
    {
      fault: 'stock that stays with an order which its customer gives up',
      in: 'public.cancel_order(bigint,uuid,text,boolean,boolean)',
      line: 'perform private.return_stock(array[p_order_id]);',
      instead: '',
      from: 1,
      shown: /in stock and \d+ held or sold are not/u,
    },
    {
      fault: 'a paid order that is given up as an unpaid one',
      in: 'public.cancel_own_order(uuid,bigint,uuid,boolean,boolean,text,boolean,jsonb,timestamptz)',
      line: 'v_order.paid and not p_paid',
      instead: 'false',
      from: 20,
      shown: /was paid, and is cancelled by who gave up an unpaid one/u,
    },
    {
      fault: 'a packed order that its customer cancels',
      in: 'public.cancel_own_order(uuid,bigint,uuid,boolean,boolean,text,boolean,jsonb,timestamptz)',
      line: `v_order.fulfilment <> 'new' or`,
      instead: '',
      from: 960,
      shown: /was packed, and its customer cancelled it/u,
    },
  ])('shows a fault of the shop: $fault', async ({ from, shown, ...broken }) => {
    const violations = await breakLine(world(), broken, async () => {
      const found: string[] = [];
      // A change of the model moves the history that shows it.
      for (let one = from; one < from + 100 && !shown.test(found.join('\n')); one += 1)
        found.push(...(await playHistory(world(), one)).violations);
      return found;
    });
    expect(violations.join('\n')).toMatch(shown);
  });
});
