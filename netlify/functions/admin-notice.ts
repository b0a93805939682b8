import type { Config } from '@netlify/functions';
import { noticeInputSchema, type NoticeInput } from '../../src/domain/admin/notice-input.ts';
import { endsTodayOrLater } from '../../src/domain/period.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { refreshCached } from '../server/platform/http/cdn-cache.ts';
import { callFunction } from '../server/platform/database.ts';
import { json } from '../server/platform/http/http.ts';
import { readJson } from '../server/platform/http/request-body.ts';
import { noticeSchema, noticeTag, readNotice } from '../server/publishing/shop-notice.ts';

async function saveNotice(request: Request, wanted: NoticeInput | null): Promise<Response> {
  const saved = await callFunction('save_notice', { p_notice: wanted }, noticeSchema);
  await refreshCached(request, noticeTag, '/api/notice');
  return json({ notice: saved });
}

/** GET, PUT and DELETE /api/admin/notice, answered with `{notice}`, null for none. */
export default adminEndpoint({
  route: 'admin/notice',
  handlers: {
    GET: async () => json({ notice: await readNotice() }),
    async PUT({ request, addLogFields }) {
      const wanted = await readJson(request, noticeInputSchema.check(endsTodayOrLater));
      addLogFields({ closes: wanted.closes_checkout });
      return saveNotice(request, wanted);
    },
    DELETE: ({ request }) => saveNotice(request, null),
  },
});

export const config: Config = { path: '/api/admin/notice' };
