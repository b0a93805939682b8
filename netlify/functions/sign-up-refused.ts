import type { Config } from '@netlify/functions';
import { endpoint } from '../server/platform/http/http.ts';
import { addressBucket, callerAddress, limitRate } from '../server/platform/rate-limit.ts';

const hour = 3_600;

/**
 * POST /api/sign-up-refused: a visitor's page reports that the auth service sent no mail because the project's mails of the
 * hour are used up. No body. Counted once an hour for each network, in the bucket that SQL `shop_health` reads. Anyone can call this, so it decides no health status.
 */
export default endpoint({
  route: 'sign-up-refused',
  method: 'POST',
  async handler({ context }) {
    await limitRate(
      {
        bucket: addressBucket('sign-up-refused', callerAddress(context)),
        hits: 1,
        seconds: hour,
      },
      { bucket: 'sign-up-refused', hits: 100, seconds: hour },
    );
    return new Response(null, { status: 204 });
  },
});

export const config: Config = { path: '/api/sign-up-refused' };
