import type * as z from 'zod/mini';
import { checkoutSettings } from '#domain/checkout/checkout-settings.ts';
import { chargesOf } from '#domain/sums/charges.ts';
import { sqlTerms } from '#domain/orders/order-terms.ts';
import type { CashTerms } from '#domain/sums/payment-way.ts';
import { cashOnDelivery } from '#settings/cash-on-delivery.ts';
import { shop } from '#settings/shop.ts';
import type { Charge } from '#domain/sums/sum-rows.ts';
import { callFunction, callNewFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import type { CreateOrderRequest } from './create-order-request.ts';
import { answerSchema, isPlaced, orderRefusal, type placedSchema } from './place-order-answer.ts';

/** An order that has its stock. Amounts in paise. */
export interface PlacedOrder extends z.infer<typeof placedSchema> {
  /** An earlier attempt placed it, and may have created it at the provider without storing that. */
  reused: boolean;
  /** Nothing more is paid online: the order waits until the shop confirms it. */
  reserved: boolean;
  /** A cash order that the customer placed before, with another key, and ordered again now. */
  repeated: boolean;
}

/**
 * The terms of an order that is paid at the door, as SQL takes them. `keyId` is that of the provider, which says whether the order is a
 * test.
 */
export const sqlCashTerms = (cash: CashTerms, keyId: string | null): Record<string, unknown> => ({
  whole_rupees: true,
  min_paise: cash.minTotal,
  max_paise: cash.maxTotal,
  pins: cash.pins ?? null,
  advance_percent: cash.advance && 'percent' in cash.advance ? cash.advance.percent : null,
  advance_paise: cash.advance && 'amount' in cash.advance ? cash.advance.amount : null,
  confirm_seconds: cash.confirmWithinHours * 3_600,
  refused_days: cash.refusedForDays,
  key_id: keyId,
});

/** The fee and the charge for cash as a database of release 1.3.2 takes them: hundredths of a percent, and paise. */
export const termsOfBefore = (
  charges: readonly Charge[],
): { feeBps: number; chargePaise: number } => ({
  feeBps: charges.reduce((sum, charge) => ('bps' in charge ? sum + charge.bps : sum), 0),
  chargePaise: charges.reduce((sum, charge) => ('paise' in charge ? sum + charge.paise : sum), 0),
});

/**
 * Places the order, or finds the one already placed with this key or for this cart; the database reads the
 * prices and takes the stock. `network` comes from `networkOf`, `keyId` is that of the provider. Throws HttpError 400, 409 or 429 with what the customer must know
 * to try again.
 */
export async function placeOrder(
  customerId: string,
  key: string,
  request: CreateOrderRequest,
  network: string | null,
  keyId: string | null,
): Promise<PlacedOrder> {
  const cash = request.way === 'door' ? cashOnDelivery : null;
  if (request.way === 'door' && cash === null)
    throw new HttpError(409, 'no_cash', 'This shop has no cash on delivery. Please pay now.');
  const args = {
    p_user_id: customerId,
    p_idempotency_key: key,
    p_lines: request.lines,
    p_customer: request.customer,
    p_expected_total_paise: request.expectedPaise,
    p_hold_seconds: checkoutSettings.holdSeconds,
    p_max_units: shop.limits.unitsPerOrder,
    p_discount_code: request.discountCode,
    p_network: network,
  };
  const cashTerms = cash === null ? null : sqlCashTerms(cash, keyId);
  const charges = chargesOf(request);
  const answer = await callNewFunction(
    'place_order',
    { ...args, p_charges: charges, p_cash: cashTerms, p_terms: sqlTerms() },
    answerSchema,
    'of release 1.3.2',
    async () => {
      const { feeBps, chargePaise } = termsOfBefore(charges);
      const cashBefore = cashTerms && { ...cashTerms, charge_paise: chargePaise };
      const before = { ...args, p_fee_bps: feeBps, p_cash: cashBefore };
      return callFunction('place_order', before, answerSchema);
    },
  );
  if (!isPlaced(answer)) throw orderRefusal(answer, request.discountCode ?? '');
  const reserved = answer.outcome === 'reserved';
  return {
    ...answer.order,
    reserved,
    reused: answer.outcome !== 'placed',
    repeated: answer.repeated === true,
  };
}
