import { atom } from 'nanostores';
import type { CheckoutState } from '#domain/checkout/checkout-state.ts';
import { parseNotice, type ShopNotice } from '#domain/shop-notice.ts';

/** The notice that this page was built with; null for none. Parse it with `parseNotice`. */
function builtNotice(): unknown {
  if (typeof document === 'undefined') return null;
  return JSON.parse(
    document.querySelector<HTMLElement>('.shop-notice')?.dataset['notice'] ?? 'null',
  );
}

/** What `/api/notice` answers: the notice, null for none, for `parseNotice`; and whether the shop sells. */
interface NoticeAnswer {
  notice?: unknown;
  checkout?: unknown;
}

/** The current answer from the CDN, not the one of a minute ago that the browser may have; empty without one. */
async function fetchNotice(): Promise<NoticeAnswer> {
  try {
    return (await (await fetch('/api/notice', { cache: 'no-cache' })).json()) as NoticeAnswer;
  } catch {
    return {};
  }
}

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
