import type * as z from 'zod/mini';
import { checkoutSettings } from '../../../src/domain/checkout/checkout-settings.ts';
import { shop } from '../../../src/settings/shop.ts';
import { callFunction } from '../platform/database.ts';
import type { CreateOrderRequest } from './create-order-request.ts';
import { answerSchema, isPlaced, orderRefusal, type placedSchema } from './place-order-answer.ts';

/** An order that holds its stock and waits for payment. Amount in paise. */
export interface PlacedOrder extends z.infer<typeof placedSchema> {
  /** An earlier attempt placed it, and may have created it at the provider without storing that. */
  reused: boolean;
}

/**
 * Places the order, or finds the one already placed with this key or for this cart; the database reads the
 * prices and takes the stock. `network` comes from `networkOf`. Throws HttpError 400, 409 or 429 with what the customer must know
 * to try again.
 */
export async function placeOrder(
  customerId: string,
  key: string,
  request: CreateOrderRequest,
  network: string | null,
): Promise<PlacedOrder> {
  const answer = await callFunction(
    'place_order',
    {
      p_user_id: customerId,
      p_idempotency_key: key,
      p_lines: request.lines,
      p_customer: request.customer,
      p_expected_total_paise: request.expectedPaise,
      p_fee_bps: shop.platformFeeBps,
      p_hold_seconds: checkoutSettings.holdSeconds,
      p_max_units: shop.limits.unitsPerOrder,
      p_discount_code: request.discountCode,
      p_network: network,
    },
    answerSchema,
  );
  if (!isPlaced(answer)) throw orderRefusal(answer, request.discountCode ?? '');
  return { ...answer.order, reused: answer.outcome !== 'placed' };
}
