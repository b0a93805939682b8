import type { Config } from '@netlify/functions';
import { endpoint, json } from '#core/platform/http/http.ts';
import { runSweep } from '#core/scheduled/run-sweep.ts';

/**
 * Every five minutes: refunds that are due and credit notes of those done, mail that waits, unpaid orders whose time has
 * come, the comparison with Razorpay, and changes of the catalogue that are not published yet. Returns a summary. The
 * platform calls it by POST; anyone else who does so only runs leased work that the next run would do.
 */
export default endpoint({
  route: 'payment-sweep',
  method: 'POST',
  handler: async (ctx) => json(await runSweep(ctx)),
});

export const config: Config = { schedule: '*/5 * * * *' };
