import * as z from 'zod/mini';
import { noticeInputSchema, type NoticeInput } from '../../../domain/admin/notice-input.ts';
import { adminGet, adminSend } from '../api.ts';

const path = '/api/admin/notice';
const answerSchema = z.object({ notice: z.nullable(noticeInputSchema) });

/** The admin's notice while it is not over; null for none. Throws AdminError. */
export async function fetchAdminNotice(signal?: AbortSignal): Promise<NoticeInput | null> {
  return (await adminGet(path, answerSchema, signal)).notice;
}

/** Saves the notice, or takes it away with null. Customers see it at once. Throws AdminError. */
export async function saveNotice(notice: NoticeInput | null): Promise<NoticeInput | null> {
  const answer =
    notice === null
      ? await adminSend('DELETE', path, {}, answerSchema)
      : await adminSend('PUT', path, notice, answerSchema);
  return answer.notice;
}
