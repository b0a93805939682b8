import * as z from 'zod/mini';
import { callFunction } from '#core/platform/database.ts';
import { markPaid } from '#core/payments/confirm-payment.ts';
import { isOwnOrder } from '#core/payments/payment-origin.ts';
import { PaymentProviderError } from '#core/payments/payment-provider-error.ts';
import { listCount, type PaymentProvider } from '#core/payments/razorpay.ts';
import type { ProviderList, ProviderPayment } from '#core/payments/razorpay-entities.ts';
import { recordDispute, recordRefund, recordRefundsOf } from '#core/payments/refunds.ts';

/* What each step of a reconciliation does with one page of Razorpay's lists. */

export const runSchema = z.object({
  id: z.int(),
  /** Unix seconds. */
  from: z.int(),
  to: z.int(),
  step: z.enum(['payments', 'refunds', 'disputes', 'unlisted']),
  skip: z.int(),
});
/** A reconciliation under way: which of Razorpay's lists it reads, and how much of it is done. */
export type Run = z.infer<typeof runSchema>;

const differenceSchema = z.object({
  kind: z.enum(['not_recorded', 'amount_differs', 'refunds_differ']),
  payment_id: z.string(),
  razorpay_order_id: z.nullable(z.string()),
  amount_paise: z.int(),
  is_ours: z.boolean(),
});
type Difference = z.infer<typeof differenceSchema>;
type Resolved = Omit<Difference, 'kind'> & { kind: string; resolved: string | null };

/** The outcome of a step with its page. */
export interface Page {
  payments: number;
  differences: Resolved[];
  /** Whether the page was done before the deadline. A page that was not is read again. */
  isDone: boolean;
  /** Whether the list ends with this page. */
  isLast: boolean;
}

/** A dispute is decided within this time, in seconds; older ones do not change any more. */
const disputeSeconds = 180 * 24 * 3600;
const unlistedAtOnce = 50;
/** Whether a payment was the shop's money once. One that nobody captured in time is 'refunded' too, and never was. */
const wasCaptured = ({ status, captured }: ProviderPayment): boolean =>
  status === 'captured' || (status === 'refunded' && captured !== false);

const isLastPage = ({ items, unreadable }: ProviderList<unknown>): boolean =>
  items.length + unreadable < listCount;

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
  payment: ProviderPayment | undefined,
): Promise<Resolved | null> {
  switch (difference.kind) {
    case 'not_recorded': {
      if (!payment || payment.order_id === null) return null;
      if (!difference.is_ours && !(await isOwnOrder(provider, payment.order_id))) {
        const { order_id, id, amount, currency } = payment;
        const args = { p_razorpay_order_id: order_id, p_payment_id: id };
        await callFunction(
          'record_foreign_payment',
          { ...args, p_amount_paise: amount, p_currency: currency },
          z.unknown(),
        );
        return null;
      }
      // A refunded payment was captured once: it is recorded, then its refunds are.
      return { ...difference, resolved: await markPaid(payment, provider.keyId) };
    }
    case 'refunds_differ':
      await recordRefundsOf(provider, difference.payment_id);
      return { ...difference, resolved: 'refunds_recorded' };
    default:
      return { ...difference, resolved: null };
  }
}

/** Compares a page of payments. Failed ones are most of the list when somebody tries stolen cards, and are no money. */
async function comparePayments(
  provider: PaymentProvider,
  run: Run,
  deadline: number,
): Promise<Page> {
  const list = await provider.listPayments(run);
  const captured = list.items.filter(wasCaptured);
  const payments = new Map(captured.map((payment) => [payment.id, payment]));
  const p_payments = captured.map(({ id, order_id, amount, amount_refunded }) => ({
    id,
    order_id,
    amount,
    amount_refunded,
  }));
  const page: Page = {
    payments: captured.length,
    differences: [],
    isDone: true,
    isLast: isLastPage(list),
  };
  // The page is compared twice: a payment that was recorded just now may have refunds, and one whose refunds were recorded may
  // still not agree.
  for (const isSecondLook of captured.length === 0 ? [] : [false, true]) {
    if (isSecondLook && !page.differences.some(({ resolved }) => resolved !== null)) break;
    const found = await callFunction('compare_payments', { p_payments }, z.array(differenceSchema));
    for (const difference of found) {
      if (Date.now() > deadline) return { ...page, payments: 0, isDone: false };
      const { kind, payment_id: id } = difference;
      const isKnown = page.differences.some((one) => one.payment_id === id && one.kind === kind);
      if (isSecondLook && kind !== 'refunds_differ') continue;
      const result = isKnown
        ? { ...difference, resolved: null }
        : await resolve(provider, difference, payments.get(id));
      if (result) page.differences.push(result);
    }
  }
  return page;
}

/** Records the refunds of a page, whenever their payments were made. */
async function recordRefunds(provider: PaymentProvider, run: Run, deadline: number): Promise<Page> {
  const list = await provider.listRefunds(run);
  const p_refunds = list.items.map(({ id, payment_id, status }) => ({ id, payment_id, status }));
  const unrecorded = new Set(
    await callFunction('refunds_to_record', { p_refunds }, z.array(z.string())),
  );
  const page: Page = { payments: 0, differences: [], isDone: true, isLast: isLastPage(list) };
  for (const refund of list.items.filter(({ id }) => unrecorded.has(id))) {
    if (Date.now() > deadline) return { ...page, isDone: false };
    await recordRefund(refund);
    page.differences.push({
      kind: 'refunds_differ',
      payment_id: refund.payment_id,
      razorpay_order_id: null,
      amount_paise: refund.amount,
      is_ours: true,
      resolved: 'refunds_recorded',
    });
  }
  return page;
}

/** Records the disputes of a page: a new one, and what became of an older one. */
async function recordDisputes(
  provider: PaymentProvider,
  run: Run,
  deadline: number,
): Promise<Page> {
  const list = await provider.listDisputes(run);
  const current = list.items.filter(({ created_at: at }) => at >= run.from - disputeSeconds);
  const isLast = isLastPage(list) || current.length < list.items.length;
  const page: Page = { payments: 0, differences: [], isDone: true, isLast };
  for (const dispute of current) {
    if (Date.now() > deadline) return { ...page, isDone: false };
    await recordDispute(dispute);
  }
  return page;
}

/** Fetches each recorded payment that Razorpay's lists did not have: it may have been made before their time. */
async function checkUnlisted(provider: PaymentProvider, run: Run, deadline: number): Promise<Page> {
  const unlisted = await callFunction(
    'unlisted_payments',
    { p_id: run.id, p_key_id: provider.keyId, p_limit: unlistedAtOnce },
    z.array(z.omit(differenceSchema, { kind: true, is_ours: true })),
  );
  const page: Page = { payments: 0, differences: [], isDone: true, isLast: true };
  for (const payment of unlisted) {
    if (Date.now() > deadline) return { ...page, differences: [], isDone: false };
    if (await isAtProvider(provider, payment.payment_id))
      await callFunction('note_listed', { p_payment_ids: [payment.payment_id] }, z.unknown());
    else
      page.differences.push({ ...payment, kind: 'not_at_razorpay', is_ours: true, resolved: null });
  }
  return page;
}

/** The steps of a run, by name. */
export const steps = {
  payments: comparePayments,
  refunds: recordRefunds,
  disputes: recordDisputes,
  unlisted: checkUnlisted,
} as const;
