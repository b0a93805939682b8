import { safeStorage, localStorageOrNull } from './safe-storage.ts';

const key = 'kasavu:pin';
const blocked = localStorageOrNull();
const storage = blocked ? safeStorage(blocked) : {};

/** The last PIN code entered on this device, as unvalidated text; '' for none. */
export const storedPostalCode = (): string => storage[key] ?? '';

export function storePostalCode(pin: string): void {
  storage[key] = pin;
}
