import { afterAll, describe, expect, test } from 'vitest';
import { reportFigures } from '#tests/figures.ts';
import { times } from '#tests/soak.ts';
import { killAt, scenarios } from './kill-points.ts';
import { useWorld } from './use-world.ts';

const world = useWorld();
/** The short form kills before one call, after the next but one, and so on. */
const momentsOf = (index: number): readonly ('before' | 'after')[] =>
  times(index % 4 === 0 ? ['before'] : ['after'], ['before', 'after']);

describe('killed at any outgoing call', () => {
  const points = new Map<string, number>();
  const everyViolation: string[] = [];

  test.each(scenarios)('$name leaves nothing that one sweep does not heal', async (scenario) => {
    const unhealed: string[] = [];
    for (let index = 0; ; index += times(2, 1)) {
      const kills: { moment: 'before' | 'after'; killed: Awaited<ReturnType<typeof killAt>> }[] =
        [];
      for (const moment of momentsOf(index))
        kills.push({ moment, killed: await killAt(world(), scenario, index, moment) });
      if (kills.some(({ killed }) => killed === null)) break;
      points.set(scenario.name, (points.get(scenario.name) ?? 0) + kills.length);
      for (const { moment, killed } of kills)
        for (const violation of killed?.violations ?? [])
          unhealed.push(`${moment} ${killed?.call ?? ''}: ${violation}`);
    }
    everyViolation.push(...unhealed);
    expect(unhealed).toEqual([]);
    expect(points.get(scenario.name)).toBeGreaterThan(times(1, 3));
  });

  afterAll(() => {
    const sum = [...points.values()].reduce((total, count) => total + count, 0);
    reportFigures(8, {
      points: sum,
      functions: points.size,
      'left unhealed by one sweep': everyViolation.length,
    });
    process.stdout.write(`${String(sum)} points of ${String(points.size)} functions\n`);
  });
});
