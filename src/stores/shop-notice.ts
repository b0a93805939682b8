import { atom } from 'nanostores';
import { parseNotice, type ShopNotice } from '../domain/shop-notice.ts';
import { builtNotice, fetchNotice } from '../services/shop-notice.ts';

/** Parses a notice; null when there is none or it cannot be parsed. */
function readNotice(value: unknown): ShopNotice | null {
  try {
    return parseNotice(value);
  } catch {
    return null;
  }
}

/** The admin's notice, including one that has not begun; null for none. */
export const $notice = atom(readNotice(builtNotice()));

/** Refetches the notice. Keeps it when the request fails: create-order checks again anyway. */
export async function refreshNotice(): Promise<void> {
  const notice = await fetchNotice();
  if (notice !== undefined) $notice.set(readNotice(notice));
}
