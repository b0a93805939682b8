import { lineKey } from '#domain/catalogue/sizes.ts';
import * as v from '#domain/validate.ts';
import { checkoutSettings } from '#domain/checkout/checkout-settings.ts';
import { forgetCheckoutDraft } from './stored-details.ts';
import { storedJson } from './stored-json.ts';

export type HeldLines = { id: string; size?: string | undefined; quantity: number }[];

export interface CheckoutAttempt {
  /** The Idempotency-Key: repeating the request must not create a second order. */
  key: string;
  /** The subject of the attempt: items, total and details. */
  fingerprint: string;
  /** Razorpay's order id, once the order exists. */
  orderId: string | null;
  /** The stock that the customer's open order holds, until when (ms). It may be an earlier attempt's. */
  hold: { lines: HeldLines; until: number } | null;
}

const positiveInt: v.Validator<number> = (value) => {
  const quantity = v.nonNegativeInt(value);
  if (quantity > 0) return quantity;
  throw new v.ValidationError('Not a quantity');
};

const attemptValidator: v.Validator<CheckoutAttempt> = v.object({
  key: v.nonEmptyString,
  fingerprint: v.string,
  orderId: v.withDefault(v.string, null),
  hold: v.withDefault(
    v.object({
      lines: v.array(
        v.object({ id: v.string, size: v.withDefault(v.string, undefined), quantity: positiveInt }),
      ),
      until: v.number,
    }),
    null,
  ),
});

// Without sessionStorage, the server still deduplicates by customer and cart.
const stored = storedJson('session', 'kasavu:checkout', attemptValidator);

/** The current attempt of this tab, or null. */
export const readAttempt = (): CheckoutAttempt | null => stored.read();

/** The attempt for this fingerprint: the stored one, or a new one with a new key. */
export function startAttempt(fingerprint: string): CheckoutAttempt {
  const earlier = readAttempt();
  if (earlier?.fingerprint === fingerprint) return earlier;
  // The earlier order's hold remains until the server places the new order.
  const attempt = {
    key: crypto.randomUUID(),
    fingerprint,
    orderId: null,
    hold: earlier?.hold ?? null,
  };
  stored.write(attempt);
  return attempt;
}

/** Renews the key of an attempt whose key is used up. */
export function renewAttempt(attempt: CheckoutAttempt): CheckoutAttempt {
  const renewed = { ...attempt, key: crypto.randomUUID(), orderId: null };
  stored.write(renewed);
  return renewed;
}

/** Records the order of an attempt and what it holds until when (ms; the usual time when unknown). */
export function recordOrder(
  attempt: CheckoutAttempt,
  orderId: string,
  lines: HeldLines,
  holdUntil: number | null,
): void {
  stored.write({
    ...attempt,
    orderId,
    hold: { lines, until: holdUntil ?? Date.now() + checkoutSettings.holdSeconds * 1000 },
  });
}

/** Records what an open order holds until when (ms), in a tab that did not place it. */
export function recordHold(lines: HeldLines, until: number): void {
  const attempt = readAttempt() ?? { key: crypto.randomUUID(), fingerprint: '', orderId: null };
  stored.write({ ...attempt, hold: { lines, until } });
}

/** Records that the order's stock was released. */
export function recordRelease(): void {
  const attempt = readAttempt();
  if (attempt) stored.write({ ...attempt, hold: null });
}

/** Clears the attempt and the typed details. */
export function forgetCheckout(): void {
  stored.forget();
  forgetCheckoutDraft();
}

/**
 * Quantities that this tab's open order holds, by `lineKey`. The catalogue counts them as sold, but for this customer
 * they are available: paying again reuses or releases that hold.
 */
export function heldQuantities(): ReadonlyMap<string, number> {
  const hold = readAttempt()?.hold;
  if (!hold || hold.until < Date.now()) return new Map();
  return new Map(hold.lines.map((line) => [lineKey(line.id, line.size), line.quantity]));
}
