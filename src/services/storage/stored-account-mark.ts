import { localTexts } from './browser-storage.ts';

const key = 'kasavu:has-account';

/** Stores that somebody has logged in with this browser. */
export function rememberAccount(): void {
  localTexts.setItem(key, 'yes');
}

/** Whether somebody has logged in with this browser before. */
export const hasHadAccount = (): boolean => localTexts.getItem(key) !== null;
