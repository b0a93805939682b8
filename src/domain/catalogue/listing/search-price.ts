import type { Paise } from '#domain/money.ts';

/** A price that a search names. Both ends in paise; `to` is not part of it when `isBelow`. */
export interface SearchedPrice {
  from: Paise;
  to: Paise;
  isBelow: boolean;
  /** As it was typed: 'under 1500'. */
  typed: string;
}

const currency = String.raw`(?:₹|rs\.?|inr|rupees?)`;
const amount = String.raw`${currency}?\s*(\d[\d,]*(?:\.\d+)?)\s*(k(?![a-z]))?\s*(?:/-)?\s*(?:${currency}(?![a-z]))?`;
const start = String.raw`(?<![\p{L}\p{N}.])`;
const end = String.raw`(?![\p{L}\p{N}.]|-\d)`;
const pattern = (text: string): RegExp => new RegExp(start + text + end, 'u');

/** The words before an amount: up to it, below it, above it. */
const upTo = pattern(
  String.raw`(?:with ?in|up ?to|max(?:imum)?|not more than|budget(?: of)?)\s*${amount}`,
);
const below = pattern(String.raw`(?:under|below|less than|lower than|cheaper than)\s*${amount}`);
const above = pattern(String.raw`(?:above|over|more than|from|min(?:imum)?)\s*${amount}`);
const between = pattern(
  String.raw`(?:between\s+|from\s+)?${amount}\s*(?:-|–|—|to|and)\s*${amount}`,
);
const marked = pattern(
  String.raw`(?:${currency}\s*(\d[\d,]*(?:\.\d+)?)\s*(k(?![a-z]))?\s*(?:/-)?|(\d[\d,]*)\s*(k(?![a-z]))?\s*(?:/-|${currency}(?![a-z])))`,
);

/** Below it a number is a size or a count: bangles are '2-4', a ring is '14'. */
const minRupees = 100;

function paiseOf(digits: string | undefined, thousands: string | undefined): Paise | null {
  const rupees = Number((digits ?? '').replaceAll(',', '')) * (thousands === undefined ? 1 : 1_000);
  return rupees >= minRupees ? Math.round(rupees * 100) : null;
}

/**
 * Reads the price that customers type among other words: 'rings under 1000', '₹500-1000', 'between 500 and 1,000', 'upto 2k'.
 * @param folded a search in lower case
 * @returns the price, null without one, and the search without its words
 */
export function readPrice(folded: string): { price: SearchedPrice | null; rest: string } {
  const take = (
    found: RegExpExecArray | null,
    read: (groups: readonly (string | undefined)[]) => Omit<SearchedPrice, 'typed'> | null,
  ) => {
    if (found === null) return null;
    const range = read(found.slice(1));
    if (range === null) return null;
    const [typed] = found;
    const rest = `${folded.slice(0, found.index)} ${folded.slice(found.index + typed.length)}`;
    return { price: { ...range, typed: typed.trim() }, rest };
  };
  const upToPrice =
    (isBelow: boolean) =>
    ([digits, thousands]: readonly (string | undefined)[]) => {
      const to = paiseOf(digits, thousands);
      return to === null ? null : { from: 0, to, isBelow };
    };
  return (
    take(between.exec(folded), ([low, lowThousands, high, highThousands]) => {
      // '1-2k' is one thousand to two.
      const [from, to] = [
        paiseOf(low, lowThousands ?? (highThousands && 'k')),
        paiseOf(high, highThousands),
      ];
      return from === null || to === null || from > to ? null : { from, to, isBelow: false };
    }) ??
    take(below.exec(folded), upToPrice(true)) ??
    take(upTo.exec(folded), upToPrice(false)) ??
    take(above.exec(folded), ([digits, thousands]) => {
      const from = paiseOf(digits, thousands);
      return from === null ? null : { from, to: Number.MAX_SAFE_INTEGER, isBelow: false };
    }) ??
    take(marked.exec(folded), ([before, beforeThousands, after, afterThousands]) =>
      upToPrice(false)([before ?? after, beforeThousands ?? afterThousands]),
    ) ?? { price: null, rest: folded }
  );
}

/** Whether what is charged is within a searched price. */
export const isInPrice = (charged: Paise, { from, to, isBelow }: SearchedPrice): boolean =>
  charged >= from && (isBelow ? charged < to : charged <= to);
