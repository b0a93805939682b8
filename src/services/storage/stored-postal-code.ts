import { localTexts } from './browser-storage.ts';

const key = 'kasavu:pin';

/** The last PIN code entered on this device, as unvalidated text; '' for none. */
export const storedPostalCode = (): string => localTexts.getItem(key) ?? '';

export function storePostalCode(pin: string): void {
  localTexts.setItem(key, pin);
}
