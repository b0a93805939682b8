/*
 * What grows with the shop grows in proportion: `npm run bench -- growth [--only WORDS] [--list]`. Each row is measured at two
 * sizes in the same run, so that another machine finds the same ratio: a shop ten times as large, or a request of ten times as
 * much. A row fails where ten times the work costs more than twelve times, or where an answer passes Netlify's limit.
 */
import { parseArgs } from 'node:util';
import { purchaseRows } from './growth/purchases.ts';
import type { GrowthRow } from './growth/row.ts';
import { shopRows } from './growth/shop.ts';
import { siteRows } from './growth/site.ts';

const { values: options } = parseArgs({
  options: { only: { type: 'string', default: '' }, list: { type: 'boolean', default: false } },
});
/** Cost of ten times the work, at most. */
const maxGrowth = 12;
/** A function's buffered answer, at most: https://docs.netlify.com/build/functions/overview */
const maxBytes = 6_000_000;
/** A row that is as fast as this at the larger size costs nothing that matters. */
const flatMs = 20;

const chosen = (name: string): boolean => name.includes(options.only);
const format = (value: number, unit: string): string =>
  `${value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 })} ${unit}`;

function verdictOf({ times, unit, small, large }: GrowthRow): string {
  if (Number.isNaN(small.cost + large.cost)) return 'FAILS: not measured';
  if (large.bytes > maxBytes) return 'FAILS: the answer is larger than 6 MB';
  if (unit === 'ms' && large.cost < flatMs) return 'flat';
  if (large.cost / small.cost > (maxGrowth / 10) * times)
    return 'FAILS: grows faster than its work';
  return 'in proportion';
}

let failures = 0;
let measured = 0;
console.log(
  '| row | work | small | large | cost | largest answer | |\n|---|---|---|---|---|---|---|',
);
for (const group of [shopRows, purchaseRows, siteRows]) {
  const rows = group(chosen);
  if (options.list) {
    for (const name of rows.names) console.log(`| ${name} |`);
    continue;
  }
  if (rows.names.length === 0) continue;
  for (const row of await rows.measure()) {
    measured += 1;
    const verdict = verdictOf(row);
    if (verdict.startsWith('FAILS')) failures += 1;
    console.log(
      `| ${[
        row.name,
        `${format(row.times, '×')} (${row.sizes})`,
        format(row.small.cost, row.unit),
        format(row.large.cost, row.unit),
        format(row.large.cost / row.small.cost, '×'),
        row.large.bytes === 0 ? '' : format(row.large.bytes / 1e6, 'MB'),
        verdict,
      ].join(' | ')} |`,
    );
  }
}
if (!options.list) console.log(`\n${String(measured)} rows, ${String(failures)} fail`);
process.exitCode = failures > 0 || (measured === 0 && !options.list) ? 1 : 0;
