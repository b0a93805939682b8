import * as z from 'zod/mini';
import { callFunction } from '../platform/database.ts';
import { logLine } from '../platform/log.ts';
import { releaseOrder } from '../checkout/orders.ts';
import { PaymentProviderError } from '../payments/payment-provider-error.ts';
import type { PaymentProvider } from '../payments/razorpay.ts';
import { markPaid } from '../payments/confirm-payment.ts';

const checkSchema = z.object({ id: z.int(), razorpay_order_id: z.nullable(z.string()) });
type Check = z.infer<typeof checkSchema>;

/**
 * How many orders were looked at, and what became of them: `unpaid` ones had ended before and still have no payment,
 * `left` ones wait for the next sweep.
 */
export interface SweepSummary {
  checked: number;
  paid: number;
  released: number;
  unpaid: number;
  left: number;
}

const endings = { released: 'released', already: 'unpaid', paid: 'paid' } as const;

/*
 * Asks the provider before anything else: a hold is given back only when the provider says that there is no payment.
 * An authorised payment is about to be captured, so its order is left alone until it is, or until it ends.
 */
async function checkOrder(
  provider: PaymentProvider,
  order: Check,
): Promise<Exclude<keyof SweepSummary, 'checked'>> {
  // Without the provider's order id no shopper ever saw a payment page for it.
  if (order.razorpay_order_id === null) return endings[await releaseOrder(order.id, 'never_offered')];
  const payments = await provider.fetchOrderPayments(order.razorpay_order_id);
  let confirmed = false;
  for (const payment of payments.filter(({ status }) => status === 'captured')) {
    // A payment of another amount is sent back and does not pay the order: the hold must not wait for it.
    confirmed = (await markPaid(payment)) !== 'mismatch' || confirmed;
  }
  if (confirmed) return 'paid';
  if (payments.some((payment) => payment.status === 'authorized')) return 'left';
  return endings[await releaseOrder(order.id, 'expired')];
}

/**
 * Checks the unpaid orders whose time has come, up to `limit` and until `deadline` (ms since the epoch). When the
 * provider cannot be reached nothing more is asked of it, and nothing is released: those orders wait.
 */
export async function sweepOrders(
  provider: PaymentProvider,
  limit: number,
  deadline: number,
): Promise<SweepSummary> {
  const orders = await callFunction(
    'orders_to_check',
    { p_limit: limit, p_lease_seconds: 120 },
    z.array(checkSchema),
  );
  const summary: SweepSummary = { checked: orders.length, paid: 0, released: 0, unpaid: 0, left: 0 };
  let reachable = true;
  for (const order of orders) {
    if (Date.now() > deadline || (!reachable && order.razorpay_order_id !== null)) {
      summary.left += 1;
      continue;
    }
    try {
      summary[await checkOrder(provider, order)] += 1;
    } catch (error) {
      if (!(error instanceof PaymentProviderError)) throw error;
      logLine({ task: 'sweep', order: order.id, error: error.kind, code: error.code });
      summary.left += 1;
      if (error.kind === 'unreachable') reachable = false;
    }
  }
  return summary;
}
