import { fetchNotice } from '../../services/shop-notice.ts';

/*
 * The bar with the owner's notice at the bottom of the screen, where its coming and going moves nothing. Built with the page,
 * then corrected by what the server says. On most days there is none, and its code stays away.
 */
const bar = document.querySelector<HTMLElement>('.shop-notice');
if (bar) {
  void fetchNotice().then((answer) => {
    if (answer?.begun) void import('./notice-bar.ts').then((code) => { code.showNotice(bar, answer.notice); });
    else if (answer) bar.hidden = true;
  });
}
