import { safeStorage, localStorageOrNull } from './safe-storage.ts';

const key = 'kasavu:pin';
const blocked = localStorageOrNull();
const storage = blocked ? safeStorage(blocked) : {};

/** The PIN code that was last asked about on this device, as text that anybody may have written; empty for none. */
export const storedPostalCode = (): string => storage[key] ?? '';

export function storePostalCode(pin: string): void {
  storage[key] = pin;
}
