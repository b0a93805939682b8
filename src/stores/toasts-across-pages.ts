import { storeMessage, takeStoredMessages } from '../services/storage/stored-messages.ts';
import { showToast, type ToastOptions } from './toasts.ts';

/** Only a text can be carried to another page. */
type LastingOptions = Omit<ToastOptions, 'description'> & { description?: string | undefined };

/** Shows a toast that is repeated on the next page. Call it just before leaving this one. */
export function showToastAcrossPages(title: string, options: LastingOptions = {}): void {
  showToast(title, options);
  storeMessage({ title, ...options });
}

/** Shows the toasts of the page before. */
export function showStoredToasts(): void {
  for (const { title, ...options } of takeStoredMessages()) showToast(title, options);
}
