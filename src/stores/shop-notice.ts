import { atom } from 'nanostores';
import { builtNotice, fetchNotice } from '../services/shop-notice.ts';

/** The owner's notice, also one whose first day is still to come; null for none. */
export const $notice = atom(builtNotice());

/** Brings the notice to this moment. Without an answer it stays as the page was built: payment asks again in any case. */
export async function refreshNotice(): Promise<void> {
  const notice = await fetchNotice().catch(() => undefined);
  if (notice !== undefined) $notice.set(notice);
}
