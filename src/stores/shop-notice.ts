import { atom } from 'nanostores';
import type { CheckoutState } from '../domain/checkout/checkout-state.ts';
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

/** Whether the shop sells; `open` until the server has said otherwise. */
export const $checkoutState = atom<CheckoutState>('open');

/** Refetches both. Keeps them when the request fails: create-order checks again anyway. */
export async function refreshNotice(): Promise<void> {
  const { notice, checkout } = await fetchNotice();
  if (notice !== undefined) $notice.set(readNotice(notice));
  if (checkout === 'open' || checkout === 'test' || checkout === 'closed')
    $checkoutState.set(checkout);
}
