import type { TaxSettings } from '../shop-schema/tax-schema.ts';

const silver = { hsn: '7113', rateBps: 300 };

export const tax: TaxSettings = {
  home: { name: 'Maharashtra', gstCode: '27' },
  registration: { kind: 'regular', gstin: '27BBBBB1111B1Z7 (example)' },
  byCategory: {
    anklets: silver,
    'toe-rings': silver,
    necklaces: silver,
    earrings: silver,
    rings: silver,
  },
  byHsn: { '7113': 300, '7117': 300 },
  hsnNames: {
    '7113': 'Jewellery of silver',
    '7117': 'Imitation jewellery',
    '9985': 'Platform fee',
  },
  otherwise: silver,
  fee: { label: 'Platform fee', hsn: '9985', rateBps: 1_800 },
};
