import type { Config } from '@netlify/functions';
import { readDeployedVersion } from '../server/publishing/deployed-version.ts';
import { listWithdrawn, withdrawnTag } from '../server/catalogue/withdrawn.ts';
import { endpoint, json } from '../server/platform/http.ts';

/**
 * GET /api/catalogue/withdrawn: `{ids}` of products whose built page still stands although they are gone. The CDN
 * keeps the answer, asks anew in the background, and forgets it when a product is taken out and with each deploy.
 */
export default endpoint({
  route: 'catalogue/withdrawn',
  method: 'GET',
  async handler({ request }) {
    const response = json({ ids: await listWithdrawn(await readDeployedVersion(request)) });
    response.headers.set('cache-control', 'public, max-age=0, must-revalidate');
    response.headers.set('netlify-cdn-cache-control', 'public, durable, s-maxage=30, stale-while-revalidate=604800');
    response.headers.set('netlify-cache-tag', withdrawnTag);
    return response;
  },
});

export const config: Config = { path: '/api/catalogue/withdrawn' };
