import type { TaxSettings } from '#shop-schema/tax-schema.ts';

const clay = { hsn: '71179090', rateBps: 300 };

export const tax: TaxSettings = {
  home: { name: 'Rajasthan', gstCode: '08' },
  registration: { kind: 'regular', gstin: '08BBBBB1111B1Z7 (example)' },
  byCategory: { jhumke: clay, 'malas-chokers': clay, payal: clay, 'clay-bangles': clay },
  byHsn: { '7117': 300, '6913': 500 },
  hsnNames: {
    '71179090': 'Jewellery of clay',
    '6913': 'Ornaments of clay',
    '998599': 'Service fee',
  },
  otherwise: clay,
  fee: { label: 'Service fee', hsn: '998599', rateBps: 1_800 },
};
