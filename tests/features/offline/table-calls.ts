import type { FeatureCalls } from '#tests/database/data-api/table-calls.ts';

/** The stock in the owner's copy. */
export const tableCalls: FeatureCalls = () => [
  {
    name: 'netlify/features/offline/read-stock.ts select products',
    caller: 'service',
    answers: ['1 rows', '1 rows', '1 rows'],
    run: async () => (await import('#netlify/features/offline/read-stock.ts')).readStock(),
  },
];
