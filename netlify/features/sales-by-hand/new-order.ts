import { randomBytes } from 'node:crypto';
import type { NewOrder } from '#features/sales-by-hand/domain/new-order.ts';
import { chargesOf } from '#domain/sums/charges.ts';
import type { OrderRefusal } from '#domain/checkout/order-outcome.ts';
import { formatRupees } from '#domain/money.ts';
import { sqlTerms } from '#domain/orders/order-terms.ts';
import { answerSchema, isPlaced, orderRefusal } from '#core/checkout/place-order-answer.ts';
import { termsOfBefore } from '#core/checkout/place-order.ts';
import { providerOrderId } from '#core/checkout/provider-order.ts';
import { readOrderRecord } from '#core/orders/order-record.ts';
import { changeFulfilment } from '#core/orders/order-steps.ts';
import { PaymentProviderError } from '#core/payments/payment-provider-error.ts';
import type { PaymentProvider } from '#core/payments/razorpay.ts';
import { callFunction, callNewFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

/** The admin's sentences, where the customer's mention a cart. */
function explain(answer: OrderRefusal): HttpError {
  if (answer.outcome === 'price_changed') {
    const message = `A price has changed: the total is now ${formatRupees(answer.total_paise)}. Please check the products again.`;
    return new HttpError(409, 'price_changed', message);
  }
  if (answer.outcome === 'unknown_product')
    return new HttpError(409, 'unknown_product', 'A product of this order has been deleted.');
  if (answer.outcome === 'expired') {
    return new HttpError(
      409,
      'expired',
      'This order was created before and has expired unpaid. Please create it again.',
    );
  }
  return orderRefusal(answer);
}

/** The provider's failure at a payment link as a refusal for the admin; other errors as they are. */
function noLink(error: unknown): unknown {
  if (!(error instanceof PaymentProviderError)) return error;
  const refused = error.kind === 'refused';
  const message = `Razorpay ${refused ? 'rejected this order' : 'did not answer'}, so there is no payment link. Nothing is held or sold. ${
    refused
      ? 'Ask the person who maintains your site to check the payment settings, or take the money in another way.'
      : 'Try again in some minutes, or take the money in another way.'
  }`;
  return new HttpError(502, 'payment_provider', message, {}, error);
}

/** Marks a paid, handed-over order as delivered. A repeated request does not overwrite later changes of the admin. */
async function markHandedOver(id: number, openProvider: () => PaymentProvider): Promise<void> {
  const { order } = await readOrderRecord(id);
  if (order.delivery.fulfilment === 'new')
    await changeFulfilment(id, { state: 'delivered' }, openProvider);
}

/**
 * Makes the order of a sale outside the shop, once for each key, and returns its id. By a payment link it is opened at the provider
 * like any order; when that fails it is released. Throws 400 or 409 with a sentence for the admin, 502 when the provider
 * does not answer.
 */
export async function placeAdminOrder(
  order: NewOrder,
  openProvider: Readonly<Record<'existing' | 'forLink', () => PaymentProvider>>,
): Promise<number> {
  const { payment, handOver } = order;
  const byLink = payment.by === 'link';
  // The keys are checked before stock is held, because there is no payment link without them.
  const provider = byLink ? openProvider.forLink() : null;
  const { address, city, postalCode } = handOver
    ? { address: '', city: '', postalCode: '' }
    : order;
  const charges = chargesOf({ way: byLink ? 'now' : 'hand' });
  const args = {
    p_key: order.key,
    p_lines: order.lines,
    p_customer: {
      name: order.name,
      email: order.email,
      phone: order.phone,
      address,
      city,
      postal_code: postalCode,
      notes: order.notes,
    },
    p_channel: order.channel,
    p_hand_over: handOver,
    p_expected_total_paise: order.totalPaise,
    p_hold_seconds: byLink ? payment.hours * 3600 : 60,
    p_method: byLink ? null : payment.by,
    p_reference: byLink ? null : payment.reference,
    p_reduction_paise: order.reductionPaise,
    p_token: byLink ? randomBytes(24).toString('base64url') : null,
  };
  const answer = await callNewFunction(
    'place_admin_order',
    { ...args, p_charges: charges, p_fee_bps: null, p_terms: sqlTerms() },
    answerSchema,
    'of release 1.3.2',
    () =>
      callFunction(
        'place_admin_order',
        { ...args, p_fee_bps: termsOfBefore(charges).feeBps },
        answerSchema,
      ),
  );
  if (!isPlaced(answer)) throw explain(answer);
  const placed = { ...answer.order, reused: answer.outcome !== 'placed' };
  if (provider && placed.payment_id === null) {
    await providerOrderId(provider, placed).catch((error: unknown) => {
      throw noLink(error);
    });
  }
  if (handOver && !byLink) await markHandedOver(placed.id, openProvider.existing);
  return placed.id;
}
