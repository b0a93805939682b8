import type { FeatureCalls } from '#tests/database/data-api/table-calls.ts';

/** The products of the stock feed. */
export const tableCalls: FeatureCalls = () => [
  {
    name: 'netlify/features/feeds/shown-products.ts select products',
    caller: 'service',
    answers: ['1 rows', '1 rows', '1 rows'],
    run: async () =>
      (await import('#netlify/features/feeds/shown-products.ts')).listShownProducts(),
  },
];
