import { seller } from '../../src/settings/seller.ts';
import { legal } from '../../src/settings/seller.ts';
import { tax } from '../../src/settings/tax.ts';
import type { Check } from './check.ts';

const example = /\(replace\)|\(example\)|\.example\b|\bExample\b/u;

/** All strings in a value, however deeply nested. */
const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsOf)
      : [];

/** The facts in src/shop. */
export const shopFactsChecks: readonly Check[] = [
  {
    name: 'The seller in src/shop is the real one',
    run({ context }) {
      if (context !== 'production') return null;
      const left = [...textsOf(legal), ...textsOf(seller), ...textsOf(tax.registration)].filter(
        (text) => example.test(text),
      );
      return left.length === 0
        ? null
        : `${String(left.length)} facts are still examples, such as "${left[0] ?? ''}".`;
    },
    fix: 'Edit src/shop/seller.ts and src/shop/tax.ts: the law asks a seller to print name, address, GSTIN and grievance officer.',
  },
];
