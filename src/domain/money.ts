/** Money inside the shop: integer paise. Rupees appear only at the edge, in text and in rows. */
export type Paise = number;

// `Number` alone would also read '', '0x10' and '1e3'.
const decimalText = /^[-+]?(?:\d+\.?\d*|\.\d+)$/u;

/**
 * Rupees (a number, or the text of a Postgres `numeric`) to integer paise, rounded half away from zero.
 * Returns null for anything that is not a finite amount or would not be a safe integer.
 */
export function paiseFromRupees(rupees: number | string): Paise | null {
  const value =
    typeof rupees === 'number' || decimalText.test(rupees.trim()) ? Number(rupees) : Number.NaN;
  if (!Number.isFinite(value)) return null;
  // 1.005 * 100 is 100.49999…: the decimal text, not the binary product, is what was meant.
  const scaled = Math.sign(value) * Math.round(Number(`${Math.abs(value).toFixed(6)}e2`));
  return Number.isSafeInteger(scaled) ? scaled + 0 : null;
}

/** Paise to rupees as a number with two decimals, for JSON that speaks rupees. */
export function rupeesFromPaise(paise: Paise): number {
  return paise / 100;
}

/**
 * A whole number from 0 on in Indian grouping, e.g. 123456 → `1,23,456`. Every page writes amounts, and the first
 * `Intl.NumberFormat` of a page takes a slow phone 50 ms to make.
 */
export const groupDigits = (whole: number): string =>
  String(whole).replaceAll(/\B(?=(?:\d\d)*\d{3}$)/gu, ',');

/** An amount as text, in two parts: prices show their decimals smaller. */
export interface RupeeText {
  /** `₹1,23,456`, with Indian grouping. */
  rupees: string;
  /** `.00` */
  decimals: string;
}

/** Paise to text, e.g. 12345600 → `₹1,23,456` and `.00`, -150 → `−₹1` with a real minus, and `.50`. */
export function splitRupees(paise: Paise): RupeeText {
  const amount = Math.abs(paise);
  return {
    rupees: `${paise < 0 ? '−' : ''}₹${groupDigits(Math.floor(amount / 100))}`,
    decimals: `.${String(amount % 100).padStart(2, '0')}`,
  };
}

/** Both parts of `splitRupees`: 12345600 → `₹1,23,456.00`. */
export function formatRupees(paise: Paise): string {
  const { rupees, decimals } = splitRupees(paise);
  return rupees + decimals;
}
