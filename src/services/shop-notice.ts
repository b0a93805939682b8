/** The notice that this page was built with; null for none. Parse it with `parseNotice`. */
export function builtNotice(): unknown {
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
export async function fetchNotice(): Promise<NoticeAnswer> {
  try {
    return (await (await fetch('/api/notice', { cache: 'no-cache' })).json()) as NoticeAnswer;
  } catch {
    return {};
  }
}
