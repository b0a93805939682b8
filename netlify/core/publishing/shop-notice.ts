import * as z from 'zod/mini';
import { noticeInputSchema, type NoticeInput } from '#domain/admin/notice.ts';
import { callFunction } from '#core/platform/database.ts';

/** The CDN's tag of the cached notice. */
export const noticeTag = 'shop-notice';
/** The admin's notice, null for none. @public */
export const noticeSchema = z.nullable(noticeInputSchema);

/** The admin's notice until its last day is over, else null. */
export const readNotice = (): Promise<NoticeInput | null> =>
  callFunction('read_notice', {}, noticeSchema);
