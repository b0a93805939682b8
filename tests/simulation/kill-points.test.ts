import { afterAll, describe, expect, test } from 'vitest';
import { reportFigures } from '../figures.ts';
import { killAt, scenarios } from './kill-points.ts';
import { useWorld } from './use-world.ts';

const world = useWorld();

describe('killed at any outgoing call', () => {
  const points = new Map<string, number>();
  const everyViolation: string[] = [];

  test.each(scenarios)('$name leaves nothing that one sweep does not heal', async (scenario) => {
    const unhealed: string[] = [];
    for (let index = 0; ; index += 1) {
      const before = await killAt(world(), scenario, index, 'before');
      const after = await killAt(world(), scenario, index, 'after');
      if (!before || !after) break;
      points.set(scenario.name, (index + 1) * 2);
      for (const violation of before.violations) unhealed.push(`before ${before.call}: ${violation}`);
      for (const violation of after.violations) unhealed.push(`after ${after.call}: ${violation}`);
    }
    everyViolation.push(...unhealed);
    expect(unhealed).toEqual([]);
    expect(points.get(scenario.name)).toBeGreaterThan(3);
  });

  afterAll(() => {
    const sum = [...points.values()].reduce((total, count) => total + count, 0);
    reportFigures(8, { points: sum, functions: points.size, 'left unhealed by one sweep': everyViolation.length });
    process.stdout.write(`${String(sum)} points of ${String(points.size)} functions\n`);
  });
});
