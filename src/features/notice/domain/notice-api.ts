import * as z from 'zod/mini';
import { changes, reads } from '#domain/admin/endpoint.ts';
import { emptySchema } from '#domain/admin/plain-schemas.ts';
import { endsTodayOrLater } from '#domain/period.ts';
import { noticeInputSchema } from '#domain/admin/notice.ts';

const answerSchema = z.object({ notice: z.nullable(noticeInputSchema) });

export const noticeApi = {
  /** The notice while it is not over; null for none. */
  read: reads('/api/admin/notice', answerSchema),
  save: changes(
    'PUT',
    '/api/admin/notice',
    noticeInputSchema.check(endsTodayOrLater),
    answerSchema,
  ),
  remove: changes('DELETE', '/api/admin/notice', emptySchema, answerSchema),
};
