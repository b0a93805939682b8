import { missingVideoParts } from '#netlify/features/claims/claim-video.ts';
import { closed, type FeatureCalls } from '#tests/database/data-api/table-calls.ts';

/** The parts of a video that have arrived. */
export const tableCalls: FeatureCalls = ({ order }) => [
  {
    name: 'netlify/features/claims/claim-files.ts select claim_files',
    caller: 'service',
    answers: closed,
    run: () => missingVideoParts(order, { id: crypto.randomUUID(), bytes: 1 }),
  },
];
