/** The notice that this page was built with; null for none. Parse it with `parseNotice`. */
export function builtNotice(): unknown {
  if (typeof document === 'undefined') return null;
  return JSON.parse(
    document.querySelector<HTMLElement>('.shop-notice')?.dataset['notice'] ?? 'null',
  );
}

/**
 * The current notice from the CDN, not the one of a minute ago that the browser may have: null for none, undefined without a response. Parse
 * it with `parseNotice`.
 */
export async function fetchNotice(): Promise<unknown> {
  try {
    return (
      (await (await fetch('/api/notice', { cache: 'no-cache' })).json()) as { notice?: unknown }
    ).notice;
  } catch {
    return undefined;
  }
}
