import type { Config } from '@netlify/functions';
import { readDeployedVersion } from '../server/publishing/deployed-version.ts';
import { listWithdrawn, withdrawnTag } from '../server/catalogue/withdrawn.ts';
import { cachedJson } from '../server/platform/cdn-cache.ts';
import { endpoint } from '../server/platform/http.ts';

/**
 * GET /api/catalogue/withdrawn: `{ids}` of products whose built page still stands although they are gone. The CDN
 * keeps the answer and forgets it when a product is taken out.
 */
export default endpoint({
  route: 'catalogue/withdrawn',
  method: 'GET',
  handler: async ({ request }) => cachedJson({ ids: await listWithdrawn(await readDeployedVersion(request)) }, withdrawnTag),
});

export const config: Config = { path: '/api/catalogue/withdrawn' };
