/** What a search found in place of an empty page: products that match most of it. */
export interface NearestResults {
  /** By position: how well a product matches, 0 is best; null is none of the nearest. */
  ranks: (number | null)[];
  /** The parts of the search that no shown product matches, as they were typed. */
  missing: string[];
  /** The parts that all of them match; empty where they differ. */
  matched: string[];
  /** No product of the shop matches any of `missing`, whatever else it is. */
  isUnknown: boolean;
}

export interface RankedPart {
  typed: string;
  /** How well the product at a position matches the part: 0 is best, null is not at all. */
  rankOf: (position: number) => number | null;
}

/** The products that match the most parts of a search which no product matches whole; null when none matches any. */
export function findNearest(parts: readonly RankedPart[], count: number): NearestResults | null {
  if (parts.length < 2) return null;
  const positions = Array.from({ length: count }, (_, position) => position);
  const found = positions.map((position) => parts.map(({ rankOf }) => rankOf(position)));
  const matches = found.map((ranks) => ranks.filter((rank) => rank !== null).length);
  const most = Math.max(0, ...matches);
  if (most === 0) return null;
  const shown = positions.filter((position) => matches[position] === most);
  const isMatched = (part: number, position: number): boolean => found[position]?.[part] != null;
  const typed = (keep: (part: number) => boolean): string[] =>
    parts.flatMap((part, index) => (keep(index) ? [part.typed] : []));
  const isMissing = (part: number): boolean => !shown.some((each) => isMatched(part, each));
  const missing = typed(isMissing);
  return {
    ranks: positions.map((position) =>
      matches[position] === most
        ? (found[position] ?? []).reduce<number>((sum, rank) => sum + (rank ?? 0), 0)
        : null,
    ),
    missing,
    matched: typed((part) => shown.every((each) => isMatched(part, each))),
    isUnknown: parts.every(
      (_, part) => !isMissing(part) || !positions.some((each) => isMatched(part, each)),
    ),
  };
}

const quoted = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(' and ');

/** The sentence above the nearest results. */
export function nearestSentence({ missing, matched, isUnknown }: NearestResults): string {
  if (matched.length === 0 || missing.length === 0)
    return 'No product matches all of your words. These match most of them.';
  const shown = `These match ${quoted(matched)}.`;
  return isUnknown
    ? `We have nothing for ${quoted(missing)}. ${shown}`
    : `No product matches ${quoted(missing)} as well. ${shown}`;
}
