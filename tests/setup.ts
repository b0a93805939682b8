import { inspect } from 'node:util';
import { taxStanding } from '#domain/tax-standing.ts';
import { tax } from '#settings/tax.ts';
import { sampleGstin } from './sample-gstin.ts';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';

// Tests sell to addresses of several states. Those about a seller's registration give their own.
if (!taxStanding().sendsToOtherStates)
  tax.registration = { kind: 'regular', gstin: sampleGstin(tax.home.gstCode) };

/*
 * A warning or an error on the console that the test did not ask for (with `vi.spyOn(console, …)`) fails it:
 * otherwise the one line that announces a bug scrolls by.
 */
const watched = ['error', 'warn'] as const;
const originals = { error: console.error, warn: console.warn };
let unexpected: string[] = [];

beforeEach(() => {
  unexpected = [];
  for (const level of watched) {
    console[level] = (...values: unknown[]) => {
      unexpected.push(`console.${level}: ${values.map(describe).join(' ')}`);
    };
  }
});

afterEach(() => {
  for (const level of watched) console[level] = originals[level];
  if (unexpected.length > 0)
    throw new Error(`Unexpected output on the console\n${unexpected.join('\n')}`);
});

// Files may share a process: none leaves its environment or its mocks to the next.
afterAll(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function describe(value: unknown): string {
  if (value instanceof Error) return value.stack ?? value.message;
  return typeof value === 'string' ? value : inspect(value);
}
