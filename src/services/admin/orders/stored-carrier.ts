import { localStorageOrNull } from '../../storage/safe-storage.ts';

const key = 'kasavu:last-carrier';

/** The carrier of the last parcel sent from this browser: most shops send with one. '' when there is none. */
export function lastCarrier(): string {
  return localStorageOrNull()?.getItem(key) ?? '';
}

export function storeCarrier(name: string): void {
  try {
    localStorageOrNull()?.setItem(key, name);
  } catch {
    // A full storage only means that the name is typed again.
  }
}
