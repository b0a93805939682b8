import { atom } from 'nanostores';
import { parseNotice, type ShopNotice } from '../domain/shop-notice.ts';
import { builtNotice, fetchNotice } from '../services/shop-notice.ts';

/** A notice, or null for none and for what cannot be read. */
function readNotice(value: unknown): ShopNotice | null {
  try {
    return parseNotice(value);
  } catch {
    return null;
  }
}

/** The owner's notice, also one whose first day is still to come; null for none. */
export const $notice = atom(readNotice(builtNotice()));

/** Brings the notice to this moment. Without an answer it stays as it is: payment asks again in any case. */
export async function refreshNotice(): Promise<void> {
  const notice = await fetchNotice();
  if (notice !== undefined) $notice.set(readNotice(notice));
}
