/** The notice that this page was built with; null for none. Apart from `shop-notice.ts`, which every page loads. */
export function builtNotice(): unknown {
  if (typeof document === 'undefined') return null;
  return JSON.parse(document.querySelector<HTMLElement>('.shop-notice')?.dataset['notice'] ?? 'null');
}
