import { appendFileSync } from 'node:fs';

/**
 * Hands what a test measured to `npm run bench:reliability`, for one of its checks, by the names that its table in
 * `tests/bench/reliability/checks.ts` uses. Before the test's own expectations, so that a figure that misses is shown too.
 * Outside of the bench it does nothing.
 */
export function reportFigures(
  check: number | string,
  figures: Readonly<Record<string, number>>,
): void {
  const file = process.env['RELIABILITY_FIGURES'];
  if (file !== undefined)
    appendFileSync(file, `${JSON.stringify({ check: String(check), figures })}\n`);
}
