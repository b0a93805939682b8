import { parseNotice, type ShopNotice } from '#domain/shop-notice.ts';
import { fetchRows } from '#services/catalogue/catalogue.ts';

interface NoticeRow {
  /** The notice as the database stores it, for the page's own script. */
  row: unknown;
  notice: ShopNotice | null;
}
let read: Promise<NoticeRow> | undefined;

async function readRow(): Promise<NoticeRow> {
  const [row = null] = await fetchRows('shop_notice', {
    select: 'message,first_day,last_day,closes_checkout,extra_days',
  });
  return { row, notice: row === null ? null : parseNotice(row) };
}

/** The admin's notice for this build, read once for all pages. Throws when the database cannot be read. */
export function noticeRow(): Promise<NoticeRow> {
  read ??= readRow();
  return read;
}
