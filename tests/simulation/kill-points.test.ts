import { expect, test } from 'vitest';
import { killAt, scenarios } from './kill-points.ts';
import { sharedWorld } from './shared-world.ts';

let points = 0;

test.each(scenarios)('killed at any outgoing call, $name leaves nothing that one sweep does not heal', async (scenario) => {
  const world = await sharedWorld();
  const unhealed: string[] = [];
  for (let index = 0; ; index += 1) {
    const [before, after] = [await killAt(world, scenario, index, 'before'), await killAt(world, scenario, index, 'after')];
    if (!before || !after) break;
    points += 2;
    for (const violation of before.violations) unhealed.push(`before ${before.call}: ${violation}`);
    for (const violation of after.violations) unhealed.push(`after ${after.call}: ${violation}`);
  }
  expect(unhealed).toEqual([]);
});

test('every function was killed at several points', () => {
  process.stdout.write(`${String(points)} points, 0 unhealed\n`);
  expect(points).toBeGreaterThan(scenarios.length * 8);
});
