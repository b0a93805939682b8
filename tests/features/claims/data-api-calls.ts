import { missingVideoParts } from '../../../netlify/functions/claims/claim-video.ts';
import { closed, type DataApiCall } from '../../database/support/data-api-call.ts';

export const callsOf = (orderId: number): DataApiCall[] => [
  {
    name: 'netlify/functions/claims/claim-files.ts select claim_files',
    caller: 'service',
    answers: closed,
    run: () => missingVideoParts(orderId, { id: crypto.randomUUID(), bytes: 1 }),
  },
];
