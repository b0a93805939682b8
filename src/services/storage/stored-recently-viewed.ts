import { addSeen, parseSeen, type SeenPiece } from '../../domain/catalogue/recently-viewed.ts';
import { forgivingStorage, localStorageOrNull } from './storage-with-fallback.ts';

const key = 'kasavu:seen';
const blocked = localStorageOrNull();
const storage = blocked ? forgivingStorage(blocked) : {};

/** The pieces whose pages were opened on this device, newest first. */
export const recentlyViewedProducts = (): SeenPiece[] => parseSeen(storage[key]);

/** Remembers a piece as the one seen last. */
export function recordView(piece: SeenPiece): void {
  storage[key] = JSON.stringify(addSeen(recentlyViewedProducts(), piece));
}

/** Forgets pieces that have left the shop. */
export function forgetSeen(ids: ReadonlySet<string>): void {
  storage[key] = JSON.stringify(recentlyViewedProducts().filter(({ id }) => !ids.has(id)));
}
