import { takePageMessages } from '#stores/toasts-across-pages.ts';
import { drawToast } from '#elements/draw-toast.ts';

/** Shows the messages of the page before at the top of this one, where they cover nothing and stay until they are dismissed. */
export function showPageMessages(): void {
  const messages = takePageMessages();
  const box = document.createElement('div');
  box.className = 'page-messages';
  // Firefox 115 has no property for it.
  box.setAttribute('role', 'status');
  document.querySelector('main')?.prepend(box);
  // The text comes after a moment, because screen readers announce it only in a live region that already exists.
  setTimeout(() => {
    for (const { title, description, tone = 'default' } of messages) {
      const message = drawToast({ title, description, tone }, () => {
        message.remove();
      });
      box.append(message);
    }
  }, 50);
}
