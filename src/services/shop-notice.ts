/** The notice that this page was built with; null for none. To be read by `parseNotice`. */
export function builtNotice(): unknown {
  if (typeof document === 'undefined') return null;
  return JSON.parse(
    document.querySelector<HTMLElement>('.shop-notice')?.dataset['notice'] ?? 'null',
  );
}

/** The notice of this moment, from the CDN, null for none; undefined without an answer. To be read by `parseNotice`. */
export async function fetchNotice(): Promise<unknown> {
  try {
    return ((await (await fetch('/api/notice')).json()) as { notice?: unknown }).notice;
  } catch {
    return undefined;
  }
}
