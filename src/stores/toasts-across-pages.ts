import {
  storeMessage,
  takeStoredMessages,
  type StoredMessage,
} from '#services/storage/stored-messages.ts';
import { showToast, type ToastOptions } from './toasts.ts';

/** Only a text can be carried to another page. */
type LastingOptions = Omit<ToastOptions, 'description'> & { description?: string | undefined };

/** Shows a toast whose message stands in the next page, too. Call it just before leaving this one. */
export function showToastAcrossPages(title: string, options: LastingOptions = {}): void {
  showToast(title, options);
  const { description, tone } = options;
  storeMessage({ title, description, ...(tone && { tone }) });
}

/** A message that was on screen for less than this (ms) comes again on the next page: a redirect leaves at once. */
const minShownMs = 1_000;

/** The messages of the page before, which this page shows. */
export function takePageMessages(): StoredMessage[] {
  const messages = takeStoredMessages();
  const shownAt = performance.now();
  const repeat = (): void => {
    if (performance.now() - shownAt < minShownMs) messages.forEach(storeMessage);
  };
  window.addEventListener('pagehide', repeat, { once: true });
  return messages;
}
