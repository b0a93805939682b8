import { parseNotice, type ShopNotice } from '../domain/shop-notice.ts';

/** A notice, or null for none and for what cannot be read. */
function readNotice(value: unknown): ShopNotice | null {
  try {
    return parseNotice(value);
  } catch {
    return null;
  }
}

/** The notice that this page was built with, in its `<shop-notice>`. */
export function builtNotice(): ShopNotice | null {
  if (typeof document === 'undefined') return null;
  return readNotice(JSON.parse(document.querySelector<HTMLElement>('shop-notice')?.dataset['notice'] ?? 'null'));
}

/** The notice of this moment, from the CDN. Throws when there is no answer. */
export async function fetchNotice(): Promise<ShopNotice | null> {
  const answer = await fetch('/api/notice', { signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`The notice answered ${String(answer.status)}`);
  return readNotice(((await answer.json()) as { notice?: unknown }).notice);
}
