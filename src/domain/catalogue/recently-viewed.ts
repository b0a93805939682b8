import type { Paise } from '../money.ts';
import { orElse, readCount, readFields, readName, readText, type Reader } from '../validate.ts';

/** A piece whose page was opened on this device, with what a small card of it needs. Prices in paise. */
export interface SeenPiece {
  id: string;
  name: string;
  /** Its first picture entry; empty without one. */
  image: string;
  price: Paise;
  offerPrice: Paise | null;
}

/** The one being looked at, and four others. */
const most = 5;

const readSeen: Reader<SeenPiece> = readFields({
  id: readName,
  name: readName,
  image: readText,
  price: readCount,
  offerPrice: orElse(readCount, null),
});

/** Reads the pieces from storage text, newest first. What does not parse is left out. */
export function parseSeen(text: string | undefined): SeenPiece[] {
  try {
    const entries: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(entries)) return [];
    const pieces = new Map<string, SeenPiece>();
    for (const entry of entries) {
      try {
        const piece = readSeen(entry);
        if (!pieces.has(piece.id)) pieces.set(piece.id, piece);
      } catch {
        // This one is left out.
      }
    }
    return [...pieces.values()].slice(0, most);
  } catch {
    return [];
  }
}

/** The list with a piece put first, as it is now. */
export function addSeen(pieces: readonly SeenPiece[], piece: SeenPiece): SeenPiece[] {
  return [piece, ...pieces.filter(({ id }) => id !== piece.id)].slice(0, most);
}

/** Up to four pieces seen before the one that is looked at. */
export function seenBefore(pieces: readonly SeenPiece[], id: string | undefined): SeenPiece[] {
  return pieces.filter((piece) => piece.id !== id).slice(0, most - 1);
}
