import * as z from 'zod/mini';
import { callFunction } from '#core/platform/database.ts';
import { logLine } from '#core/platform/log.ts';
import { notifyAdmin } from '#core/mail/notify-admin.ts';
import { releaseOrder } from '#core/checkout/orders.ts';
import { PaymentProviderError } from '#core/payments/payment-provider-error.ts';
import type { PaymentProvider } from '#core/payments/razorpay.ts';
import { confirmFetchedPayment } from '#core/payments/confirm-payment.ts';
import { fetchPaymentsOf } from '#core/payments/order-payments.ts';
import { forEachParallel } from './for-each-parallel.ts';

const checkSchema = z.object({
  id: z.int(),
  razorpay_order_id: z.string(),
  holds_stock: z.boolean(),
});
type Check = z.infer<typeof checkSchema>;

/**
 * How many orders were looked at, and what became of them: `unpaid` ones had ended before and still have no payment,
 * `left` ones wait for a later sweep.
 */
export interface SweepSummary {
  checked: number;
  paid: number;
  released: number;
  unpaid: number;
  left: number;
}

/** Calls to the provider at once, as many as its API bears without answering 429. */
const parallelCalls = 8;
/** Claimed at once: a claim that is not used makes an order wait longer. */
const batch = 32;
const leaseSeconds = 120;
const endings = { released: 'released', already: 'unpaid', paid: 'paid' } as const;

/*
 * Queries the provider before anything else: a hold ends only when the provider has no payment for it. An authorised
 * payment is captured while its order still holds its stock; else the order is left until the payment ends.
 */
async function checkOrder(
  provider: PaymentProvider,
  order: Check,
): Promise<Exclude<keyof SweepSummary, 'checked'>> {
  const payments = await fetchPaymentsOf(provider, order.razorpay_order_id);
  if (payments === null) {
    // Other keys than those that made the order, as when a shop goes from test to live: nobody can pay it any more.
    const ending = await releaseOrder(order.id, 'unknown_at_provider');
    if (ending === 'released')
      await notifyAdmin(
        'unknown_orders',
        { key_id: provider.keyId },
        `unknown_orders:${provider.keyId}`,
      );
    return endings[ending];
  }
  let isPaid = false;
  let pending = false;
  for (const payment of payments.items.filter(
    ({ status }) => status === 'captured' || status === 'authorized',
  )) {
    const outcome = await confirmFetchedPayment(provider, payment, order.holds_stock);
    // A payment of another amount is refunded and confirms nothing: the hold must not wait for it.
    isPaid ||= outcome !== 'pending' && outcome !== 'mismatch' && outcome !== 'other_mode';
    pending ||= outcome === 'pending';
  }
  if (isPaid) return 'paid';
  if (payments.unreadable > 0)
    logLine({ task: 'sweep', order: order.id, unreadable: payments.unreadable });
  if (pending || payments.unreadable > 0) return 'left';
  return endings[await releaseOrder(order.id, 'expired')];
}

/**
 * Clears the unpaid orders whose time has come, several at once, up to `limit` and until `deadline` (ms since the
 * epoch). When the provider cannot be reached, the sweep sends it no more requests and releases nothing: those orders wait,
 * each time longer.
 */
export async function sweepOrders(
  provider: PaymentProvider,
  limit: number,
  deadline: number,
): Promise<SweepSummary> {
  const summary: SweepSummary = { checked: 0, paid: 0, released: 0, unpaid: 0, left: 0 };
  const outage = { found: false };
  const check = async (order: Check): Promise<void> => {
    if (Date.now() > deadline || outage.found) {
      summary.left += 1;
      return;
    }
    try {
      summary[await checkOrder(provider, order)] += 1;
    } catch (error) {
      if (!(error instanceof PaymentProviderError)) throw error;
      logLine({ task: 'sweep', order: order.id, error: error.kind, code: error.code });
      summary.left += 1;
      outage.found ||= error.kind === 'unreachable';
    }
  };
  while (!outage.found && summary.checked < limit && Date.now() < deadline) {
    const args = {
      p_limit: Math.min(batch, limit - summary.checked),
      p_lease_seconds: leaseSeconds,
    };
    const orders = await callFunction('orders_to_check', args, z.array(checkSchema));
    summary.checked += orders.length;
    await forEachParallel(orders, parallelCalls, check);
    if (orders.length < args.p_limit) break;
  }
  if (summary.checked > 0)
    await callFunction('note_provider', { p_reachable: !outage.found }, z.unknown());
  return summary;
}
