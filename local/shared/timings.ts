import { say } from './log.ts';

/** Milliseconds since the process began; steps may run in parallel. */
const steps: { name: string; from: number; to: number }[] = [];

/** Runs a step of the start and remembers when it began and ended. */
export async function timed<T>(name: string, step: () => Promise<T>): Promise<T> {
  const from = performance.now();
  try {
    return await step();
  } finally {
    steps.push({ name, from, to: performance.now() });
  }
}

const columns = 40;

/** Prints the steps of the start as a timeline, in seconds since the process began (SHOP_TIMINGS=1). */
export function printTimings(): void {
  if ((process.env['SHOP_TIMINGS'] ?? '') === '') return;
  const end = performance.now();
  const at = (milliseconds: number): number => Math.round((milliseconds / end) * columns);
  say('\n  seconds   from     to   timeline');
  for (const { name, from, to } of steps.toSorted((a, b) => a.from - b.from)) {
    const bar = ' '.repeat(at(from)) + '#'.repeat(Math.max(1, at(to) - at(from)));
    const figures = [to - from, from, to]
      .map((value) => (value / 1000).toFixed(2).padStart(6))
      .join(' ');
    say(`  ${figures}   |${bar.slice(0, columns + 1).padEnd(columns + 1)}| ${name}`);
  }
}
