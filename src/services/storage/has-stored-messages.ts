import { tabTexts } from './browser-storage.ts';

export const messagesKey = 'kasavu:toasts';

/** Whether the page before may have left messages: only then is their code loaded. */
export const hasStoredMessages = (): boolean => tabTexts.getItem(messagesKey) !== null;
