import type { TaxSettings } from '#shop-schema/tax-schema.ts';

/** GST on what is sold. Prices include it. Confirm the codes and rates with the accountant before the first invoice. */
export const tax: TaxSettings = {
  home: { name: 'Kerala', gstCode: '32' },
  registration: { kind: 'regular', gstin: '32AAAAA0000A1Z5 (example)' },
  byCategory: {
    rings: { hsn: '7117', rateBps: 300 },
    necklaces: { hsn: '7117', rateBps: 300 },
    bracelets: { hsn: '7117', rateBps: 300 },
    earrings: { hsn: '7117', rateBps: 300 },
    watches: { hsn: '9102', rateBps: 1_800 },
  },
  // 7113-7117 jewellery, 9101-9102 watches.
  byHsn: {
    '7113': 300,
    '7114': 300,
    '7116': 300,
    '7117': 300,
    '9101': 1_800,
    '9102': 1_800,
  },
  hsnNames: {
    '7113': 'Jewellery of precious metal',
    '7114': 'Goldsmiths’ and silversmiths’ wares',
    '7116': 'Articles of pearls and stones',
    '7117': 'Imitation jewellery',
    '9101': 'Watches in precious metal',
    '9102': 'Watches',
    '9985': 'Platform fee',
  },
  otherwise: { hsn: '7117', rateBps: 300 },
  // 2 % and GST of 18 % on it make the 2.36 % that customers pay.
  fee: { label: 'Platform fee', hsn: '9985', rateBps: 1_800 },
};
