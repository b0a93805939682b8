import * as z from 'zod/mini';
import { shop } from '../../../src/shop.config.ts';
import { callFunction } from '../platform/database.ts';
import { PaymentProviderError } from '../payments/payment-provider-error.ts';
import { listCount, type PaymentProvider } from '../payments/razorpay.ts';
import type { ProviderPayment } from '../payments/razorpay-entities.ts';
import { markPaid } from '../payments/confirm-payment.ts';
import { recordRefundsOf } from '../payments/refunds.ts';

const differenceSchema = z.object({
  kind: z.enum(['not_recorded', 'amount_differs', 'refunds_differ', 'not_at_razorpay']),
  payment_id: z.string(),
  razorpay_order_id: z.nullable(z.string()),
  amount_paise: z.int(),
  is_ours: z.boolean(),
});
type Difference = z.infer<typeof differenceSchema>;
type Resolved = Difference & { resolved: string | null };

/** A bank can take five days to authorise a payment; a payment is listed under the time when it was made. */
const windowSeconds = 6 * 24 * 3600;
/** Payments of this moment are still being resolved by their webhook. */
const webhookSeconds = 120;

/** Whether a payment was the shop's money once. One that nobody captured in time is 'refunded' too, and never was. */
const wasCaptured = ({ status, captured }: ProviderPayment): boolean =>
  status === 'captured' || (status === 'refunded' && captured !== false);

async function listAll(
  provider: PaymentProvider,
  from: number,
  to: number,
): Promise<ProviderPayment[]> {
  const payments: ProviderPayment[] = [];
  for (let skip = 0; ; skip += listCount) {
    const { items, unreadable } = await provider.listPayments({ from, to, skip });
    payments.push(...items);
    if (items.length + unreadable < listCount) return payments;
  }
}

/** Whether a payment that is not recorded belongs to this shop: by its order here, or by its order's receipt there. */
async function isOurs(provider: PaymentProvider, difference: Difference): Promise<boolean> {
  if (difference.is_ours) return true;
  if (difference.razorpay_order_id === null) return false;
  const { receipt } = await provider.fetchOrder(difference.razorpay_order_id);
  return receipt?.startsWith(shop.orderPrefix) ?? false;
}

async function isAtProvider(provider: PaymentProvider, paymentId: string): Promise<boolean> {
  try {
    await provider.fetchPayment(paymentId);
    return true;
  } catch (error) {
    if (error instanceof PaymentProviderError && error.isUnknownId) return false;
    throw error;
  }
}

/** Resolves a difference where that is safe; null when there is none after all. */
async function resolve(
  provider: PaymentProvider,
  difference: Difference,
  payments: ReadonlyMap<string, ProviderPayment>,
): Promise<Resolved | null> {
  const payment = payments.get(difference.payment_id);
  switch (difference.kind) {
    case 'not_recorded':
      if (!payment || !(await isOurs(provider, difference))) return null;
      // A refunded payment was captured once: it is recorded, then its refunds are.
      return { ...difference, resolved: await markPaid(payment, provider.keyId) };
    case 'refunds_differ':
      await recordRefundsOf(provider, difference.payment_id);
      return { ...difference, resolved: 'refunds_recorded' };
    case 'not_at_razorpay':
      // Made before the window, recorded in it.
      return (await isAtProvider(provider, difference.payment_id))
        ? null
        : { ...difference, resolved: null };
    default:
      return { ...difference, resolved: null };
  }
}

/**
 * Compares the provider's payments of the last days with the records, resolves what can be resolved, and keeps the rest
 * for the admin. Throws PaymentProviderError when the provider does not answer: it is tried again with the next sweep.
 */
export async function reconcile(
  provider: PaymentProvider,
): Promise<{ payments: number; differences: number; resolved: number }> {
  const to = Math.floor(Date.now() / 1000) - webhookSeconds;
  const from = to - windowSeconds;
  const listed = (await listAll(provider, from, to)).filter(wasCaptured);
  const payments = new Map(listed.map((payment) => [payment.id, payment]));
  const window = {
    p_from: new Date(from * 1000).toISOString(),
    p_to: new Date(to * 1000).toISOString(),
  };
  const p_payments = listed.map(({ id, order_id, amount, amount_refunded }) => ({
    id,
    order_id,
    amount,
    amount_refunded,
  }));
  const compare = async (): Promise<Difference[]> =>
    callFunction(
      'compare_payments',
      { p_payments, ...window, p_key_id: provider.keyId },
      z.array(differenceSchema),
    );

  const results: Resolved[] = [];
  for (const difference of await compare()) {
    const result = await resolve(provider, difference, payments);
    if (result) results.push(result);
  }
  // What was recorded just now may have refunds; what was recorded from the refunds may still not agree.
  const unresolved = new Set(
    results.filter(({ resolved }) => resolved === null).map(({ payment_id: id }) => id),
  );
  for (const difference of results.some(({ resolved }) => resolved !== null)
    ? await compare()
    : []) {
    if (unresolved.has(difference.payment_id) || difference.kind !== 'refunds_differ') continue;
    const isNew = !results.some(
      ({ kind, payment_id: id }) => kind === 'refunds_differ' && id === difference.payment_id,
    );
    if (isNew) await recordRefundsOf(provider, difference.payment_id);
    results.push({ ...difference, resolved: isNew ? 'refunds_recorded' : null });
  }
  await callFunction(
    'finish_reconciliation',
    { ...window, p_payments: listed.length, p_differences: results },
    z.unknown(),
  );
  return {
    payments: listed.length,
    differences: results.length,
    resolved: results.filter(({ resolved }) => resolved !== null).length,
  };
}

/** Reconciles when a day has passed since the last time, or the provider could be reached again after an outage. */
export async function reconcileWhenDue(
  provider: PaymentProvider,
): Promise<Awaited<ReturnType<typeof reconcile>> | null> {
  return (await callFunction('is_reconciliation_due', {}, z.boolean()))
    ? reconcile(provider)
    : null;
}
