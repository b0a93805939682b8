import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import { indiaCalendarDay } from '../../src/domain/calendar-day.ts';
import { noticeInputSchema, type NoticeInput } from '../../src/domain/admin/notice-input.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { byAction } from '../server/platform/by-action.ts';
import { cachedJson, refreshCached } from '../server/platform/cdn-cache.ts';
import { callFunction } from '../server/platform/database.ts';
import { HttpError } from '../server/platform/http-error.ts';
import { endpoint, json } from '../server/platform/http.ts';
import { readJson } from '../server/platform/request-body.ts';

const tag = 'shop-notice';
const noticeSchema = z.nullable(noticeInputSchema);
const readNotice = (): Promise<NoticeInput | null> => callFunction('read_notice', {}, noticeSchema);

/** GET /api/notice: the owner's notice while it is not over, and whether its first day has come, for every page. The CDN keeps the answer and forgets it when the notice changes. */
const notice = endpoint({
  route: 'notice',
  method: 'GET',
  async handler() {
    const found = await readNotice();
    const begun = found !== null && Date.parse(found.first_day) <= indiaCalendarDay(new Date());
    return cachedJson({ notice: found, begun }, tag);
  },
});

async function saveNotice(request: Request, wanted: NoticeInput | null): Promise<Response> {
  const saved = await callFunction('save_notice', { p_notice: wanted }, noticeSchema);
  await refreshCached(request, tag, '/api/notice');
  return json({ notice: saved });
}

/** GET, PUT and DELETE /api/admin/notice, answered with `{notice}`, null for none. */
const adminNotice = adminEndpoint({
  route: 'admin/notice',
  handlers: {
    GET: async () => json({ notice: await readNotice() }),
    async PUT({ request, addLogFields }) {
      const wanted = await readJson(request, noticeInputSchema);
      addLogFields({ closes: wanted.closes_checkout });
      if (Date.parse(wanted.last_day) < indiaCalendarDay(new Date())) {
        const message = 'This last day is over already';
        throw new HttpError(400, 'invalid_request', message, { fields: { last_day: message } });
      }
      return saveNotice(request, wanted);
    },
    DELETE: ({ request }) => saveNotice(request, null),
  },
});

export default byAction({ admin: adminNotice }, notice);

export const config: Config = { path: ['/api/notice', '/api/:action(admin)/notice'] };
