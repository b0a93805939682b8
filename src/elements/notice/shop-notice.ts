import { fetchNotice } from '../../services/shop-notice.ts';

/*
 * The bar with the owner's notice at the bottom of the screen, where its coming and going moves nothing. Built with the page,
 * then corrected: by today's date, and by what the owner has changed since. On most days there is none, and its code stays away.
 */
const bar = document.querySelector<HTMLElement>('.shop-notice');
if (bar) {
  void fetchNotice().then(async (notice) => {
    // Until its first day in India a notice is not shown.
    const first = notice?.first_day ?? '?';
    if (bar.hidden && first > new Date(Date.now() + 19_800_000).toISOString()) return;
    const { showNotice } = await import('./notice-bar.ts');
    showNotice(bar, notice);
  });
}
