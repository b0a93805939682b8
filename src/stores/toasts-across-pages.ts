import { storeMessage, takeStoredMessages } from '../services/storage/stored-messages.ts';
import { showToast, type ToastOptions } from './toasts.ts';

/** Only a text can be carried to another page. */
type LastingOptions = Omit<ToastOptions, 'description'> & { description?: string | undefined };

/** Shows a toast that is repeated on the next page. Call it just before leaving this one. */
export function showToastAcrossPages(title: string, options: LastingOptions = {}): void {
  showToast(title, options);
  storeMessage({ title, ...options });
}

/** A message that was on screen for less than this (ms) comes again on the next page: a redirect leaves at once. */
const minShownMs = 1_000;

/** Shows the toasts of the page before. */
export function showStoredToasts(): void {
  const messages = takeStoredMessages();
  const shownAt = performance.now();
  for (const { title, ...options } of messages) showToast(title, options);
  const repeat = (): void => {
    if (performance.now() - shownAt < minShownMs) messages.forEach(storeMessage);
  };
  window.addEventListener('pagehide', repeat, { once: true });
}
