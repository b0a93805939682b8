/*
 * `npm run bench:reliability [-- --only 5,14] [-- --list]`: every check of docs/reliability.md with what it asks, what was
 * measured, and how long it took, as rows of that page's table. The exit code is 1 when one is missed.
 */
import { parseArgs } from 'node:util';
import { checks } from './reliability/checks.ts';
import { runCheck, type Result } from './reliability/run-check.ts';

const { values } = parseArgs({
  options: { only: { type: 'string' }, list: { type: 'boolean', default: false } },
});

const number = (value: number): string =>
  value.toLocaleString('en-GB', { maximumFractionDigits: 1 });

function row({ check, figures, misses, seconds }: Result): string {
  const measured =
    [...figures].map(([name, value]) => `${name} ${number(value)}`).join('; ') || 'nothing';
  return `| ${check.id} | ${check.title} | ${check.asks.join('; ')} | ${measured} | ${misses.length === 0 ? 'met' : `**missed**: ${misses.join(', ')}`} | ${number(Math.round(seconds))} s |`;
}

const names = values.only?.split(',').map((name) => name.trim());
const unknown = names?.filter((name) => !checks.some(({ id }) => id === name)) ?? [];
if (unknown.length > 0) {
  console.error(
    `There is no check ${unknown.join(', ')}. There are: ${checks.map(({ id }) => id).join(', ')}`,
  );
  process.exit(1);
}
const chosen = checks.filter(({ id }) => names === undefined || names.includes(id));

if (values.list) {
  for (const check of chosen)
    console.log(
      `${check.id.padEnd(11)}${check.title}\n           ${check.asks.join('; ')}\n           ${check.commands.map((command) => command.join(' ')).join('\n           ')}`,
    );
  process.exit(0);
}

console.log('| check | what | asked | measured | | time |\n|---|---|---|---|---|---|');
const results: Result[] = [];
for (const check of chosen) {
  const result = await runCheck(check);
  results.push(result);
  console.log(row(result));
  if (result.output !== '') console.error(result.output);
}
const missed = results.filter(({ misses }) => misses.length > 0);
const minutes = results.reduce((sum, { seconds }) => sum + seconds, 0) / 60;
console.log(
  `\n${String(results.length - missed.length)} of ${String(results.length)} met, ${number(minutes)} minutes${missed.length === 0 ? '' : `; missed: ${missed.map(({ check }) => check.id).join(', ')}`}`,
);
process.exit(missed.length === 0 ? 0 : 1);
