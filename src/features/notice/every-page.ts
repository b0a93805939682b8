/*
 * The bar with the admin's notice at the bottom of the screen, where it causes no layout shift. Built with the page,
 * then updated from the server if it answers. On most days there is no notice, and its code
 * is not loaded.
 */
const bar = document.querySelector<HTMLElement>('.shop-notice');

async function correct(): Promise<void> {
  // Inlined here instead of `src/services`, because every page loads this file and has a byte budget.
  const { begun } = (await (await fetch('/api/notice')).json()) as { begun?: boolean };
  if (bar && begun) (await import('./notice-bar.ts')).showNotice(bar);
  else if (bar && begun === false) bar.hidden = true;
}
correct().catch(() => undefined);
