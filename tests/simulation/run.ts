/*
 * `npm run bench:simulation -- --histories 1000 [--seed 1]`: plays so many histories, the first with this seed, and prints
 * one line. A history that ends wrong is printed whole, and the exit code is 1. Stopped with Ctrl-C, it ends with the history
 * that it is at and says how far it came.
 */
// Before anything reads the settings.
import '#tests/sample-settings.ts';
import { parseArgs } from 'node:util';
import { reportFigures } from '#tests/figures.ts';
import { playHistory } from './history.ts';
import { openWorld } from './world.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    histories: { type: 'string', default: '200' },
    print: { type: 'boolean', default: false },
  },
});
// The functions' log lines.
console.log = () => undefined;
const print = (line: string): boolean => process.stdout.write(`${line}\n`);

const world = await openWorld();
const total = { histories: 0, steps: 0, faults: 0, kills: 0, paid: 0, violations: 0 };
const used = process.cpuUsage();
let wanted = Number(values.histories);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    wanted = 0;
  });
for (let seed = Number(values.seed); total.histories < wanted; seed += 1) {
  const history = await playHistory(world, seed);
  total.histories += 1;
  total.steps += history.steps;
  total.faults += history.faults;
  total.kills += history.kills;
  total.paid += history.paid;
  total.violations += history.violations.length;
  if (history.violations.length > 0 || values.print)
    print(
      [
        `seed ${String(seed)}`,
        ...history.lines.map((line) => `  ${line}`),
        ...history.violations.map((line) => `VIOLATION ${line}`),
      ].join('\n'),
    );
}
reportFigures('simulation', total);
const { user, system } = process.cpuUsage(used);
print(
  `${Object.entries(total)
    .map(([name, count]) => `${name} ${String(count)}`)
    .join(', ')}; ${((user + system) / 1e6).toFixed(1)} s of CPU`,
);
await world.close();
process.exit(total.violations > 0 ? 1 : 0);
