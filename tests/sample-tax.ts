import { afterAll, onTestFinished } from 'vitest';
import type { Registration, TaxSettings } from '#shop-schema/tax-schema.ts';
import { tax } from '#settings/tax.ts';

/** A seller of Kerala with two kinds of goods, for tests whose sums need certain rates and states. */
const sampleTax: TaxSettings = {
  home: { name: 'Kerala', gstCode: '32' },
  registration: { kind: 'regular', gstin: '32AABCU9603R1ZW' },
  byCategory: {
    rings: { hsn: '7117', rateBps: 300 },
    earrings: { hsn: '7117', rateBps: 300 },
    watches: { hsn: '9102', rateBps: 1_800 },
  },
  byHsn: {
    '7113': 300,
    '7114': 300,
    '7116': 300,
    '7117': 300,
    '9101': 1_800,
    '9102': 1_800,
  },
  hsnNames: { '7117': 'Imitation jewellery', '9102': 'Watches', '9985': 'Platform fee' },
  otherwise: { hsn: '7117', rateBps: 300 },
  fee: { label: 'Platform fee', hsn: '9985', rateBps: 1_800 },
};

/** The tests of a file run as if this were the shop's tax, whichever shop is under test. */
export function useSampleTax(): void {
  const own = { ...tax };
  // The tax changes at once, because a file may make its documents before its tests begin.
  Object.assign(tax, sampleTax);
  afterAll(() => {
    Object.assign(tax, own);
  });
}

/** Until the end of the test the seller is registered so; for the functions of a test, which run in its process. */
export function registerAs(registration: Registration): void {
  const own = tax.registration;
  tax.registration = registration;
  onTestFinished(() => {
    tax.registration = own;
  });
}
