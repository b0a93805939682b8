import type { Config } from '@netlify/functions';
import { endpoint } from '#core/platform/http/http.ts';
import { limitCost } from '#core/platform/costs.ts';

/**
 * POST /api/sign-up-refused: a visitor's page reports that the auth service sent no mail because its own limit of mails is
 * reached, before it called the shop. No body. Counted once an hour for each network, which SQL `shop_health` reads. Anyone can
 * call this, so it decides no health status.
 */
export default endpoint({
  route: 'sign-up-refused',
  method: 'POST',
  async handler({ context }) {
    await limitCost('sign_up_refused', { context });
    return new Response(null, { status: 204 });
  },
});

export const config: Config = { path: '/api/sign-up-refused' };
