import type { Paise } from '../money.ts';

/**
 * The platform fee on a subtotal: `round(subtotal * bps / 10000)`, half up, in integers, so that the
 * browser's figure and the database's (`place_order`) are the same to the paisa.
 */
export function platformFee(subtotal: Paise, feeBps: number): Paise {
  return Math.floor((subtotal * feeBps + 5_000) / 10_000);
}
