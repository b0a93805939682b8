import { forgivingStorage, localStorageOrNull } from './storage-with-fallback.ts';

const key = 'kasavu:pin';
const blocked = localStorageOrNull();
const storage = blocked ? forgivingStorage(blocked) : {};

/** The PIN code that was last asked about on this device, as text that anybody may have written; empty for none. */
export const keptPin = (): string => storage[key] ?? '';

export function keepPin(pin: string): void {
  storage[key] = pin;
}
