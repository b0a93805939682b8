import type { Config } from '@netlify/functions';
import { alertOfSilence } from '#core/health/silence-alerts.ts';
import { readHealth } from '#core/health/read-health.ts';
import { sendOutbox } from '#core/mail/outbox.ts';
import { afterResponse } from '#core/platform/background.ts';
import { ignoreQuery } from '#core/platform/http/cdn-cache.ts';
import { endpoint, json } from '#core/platform/http/http.ts';

/**
 * How long the CDN answers by itself. Never with a stale report, which `stale-while-revalidate` would be. Monitors ask from
 * several places, so the minute of a good report is one for all of them (`durable`); a failed one shows the repair soon.
 */
const [well, failed] = ['public, durable, s-maxage=60', 'public, s-maxage=10'];

/**
 * GET /api/health, for monitors: HealthReport as JSON, 200 when all is well and 503 when something is not. Whoever asks
 * notices that the sweep has stopped, which the sweep itself cannot; the admin gets one mail about it.
 */
export default endpoint({
  route: 'health',
  method: ['GET', 'HEAD'],
  async handler({ request, context, addLogFields }) {
    const report = await readHealth(request, context);
    const failing = Object.entries(report.checks).flatMap(([name, { ok }]) => (ok ? [] : [name]));
    addLogFields({ health: failing.join(' ') || 'pass' });
    if (!report.checks.sweep.ok || !report.checks.webhook.ok) {
      await afterResponse(context, 'alert', async () => {
        await alertOfSilence();
        await sendOutbox();
      });
    }
    const isWell = report.status === 'pass';
    const response = json(report, isWell ? 200 : 503);
    response.headers.set('cache-control', 'public, max-age=0, must-revalidate');
    response.headers.set('netlify-cdn-cache-control', isWell ? well : failed);
    // The query string never changes the response, so the CDN ignores it.
    response.headers.set('netlify-vary', ignoreQuery['netlify-vary']);
    return response;
  },
});

export const config: Config = { path: '/api/health' };
