/** Times of the checkout. Apart from `src/settings/shop.ts`, which every page carries. */
export const checkoutSettings = {
  createTimeoutMs: 30_000,
  verifyTimeoutMs: 15_000,
  scriptWaitMs: 5_000,
  scriptPollMs: 100,
  /** How long stock is held for an unpaid order, counted from the last press on "Pay". */
  holdSeconds: 900,
  /** The most of any two hours that one customer holds stock without paying. */
  maxHoldSeconds: 2_160,
} as const;
