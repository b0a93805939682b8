import { localTexts } from '#services/storage/browser-storage.ts';

const key = 'kasavu:last-carrier';

/** The carrier of the last parcel sent from this browser: most shops send with one. '' when there is none. */
export const lastCarrier = (): string => localTexts.getItem(key) ?? '';

export function storeCarrier(name: string): void {
  localTexts.setItem(key, name);
}
