import type { NoticeInput } from '#domain/admin/notice.ts';
import { noticeApi } from '#features/notice/domain/notice-api.ts';
import { answer } from '#core/auth/admin-routes.ts';
import { refreshCached } from '#core/platform/http/cdn-cache.ts';
import { callFunction } from '#core/platform/database.ts';
import { noticeSchema, noticeTag, readNotice } from '#core/publishing/shop-notice.ts';

async function save(request: Request, wanted: NoticeInput | null) {
  const notice = await callFunction('save_notice', { p_notice: wanted }, noticeSchema);
  await refreshCached(request, noticeTag, '/api/notice');
  return { notice };
}

export const routes = [
  answer(noticeApi.read, async () => ({ notice: await readNotice() })),
  answer(noticeApi.save, ({ request, body, addLogFields }) => {
    addLogFields({ closes: body.closes_checkout });
    return save(request, body);
  }),
  answer(noticeApi.remove, ({ request }) => save(request, null)),
];
