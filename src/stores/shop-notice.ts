import { atom } from 'nanostores';
import { parseNotice, type ShopNotice } from '../domain/shop-notice.ts';
import { builtNotice } from '../services/built-notice.ts';
import { fetchNotice } from '../services/shop-notice.ts';

/** The owner's notice, also one whose first day is still to come; null for none. */
export const $notice = atom<ShopNotice | null>(null);

/** Takes a notice as a page or the server has it; what cannot be read is none. */
export function takeNotice(value: unknown): void {
  try {
    $notice.set(parseNotice(value));
  } catch {
    $notice.set(null);
  }
}
takeNotice(builtNotice());

/** Brings the notice to this moment. Without an answer it stays as it is: payment asks again in any case. */
export async function refreshNotice(): Promise<void> {
  const answer = await fetchNotice();
  if (answer) takeNotice(answer.notice);
}
