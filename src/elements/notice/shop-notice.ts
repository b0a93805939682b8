/*
 * The bar with the admin's notice at the bottom of the screen, where its coming and going moves nothing. Built with the page,
 * then corrected by what the server says; without its word it stays as it was built. On most days there is none, and its code
 * stays away.
 */
const bar = document.querySelector<HTMLElement>('.shop-notice');

async function correct(): Promise<void> {
  // Here, and not in `src/services`: every page loads this file, and each byte of it is counted.
  const { begun } = (await (await fetch('/api/notice')).json()) as { begun?: boolean };
  if (bar && begun) (await import('./notice-bar.ts')).showNotice(bar);
  else if (bar && begun === false) bar.hidden = true;
}
correct().catch(() => undefined);
