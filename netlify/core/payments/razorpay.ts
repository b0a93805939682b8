import Razorpay from 'razorpay';
import type { Paise } from '#domain/money.ts';
import { paymentEnv } from '#core/platform/env.ts';
import { toProviderError } from './payment-provider-error.ts';
import { ask, checkId, configureClient } from './razorpay-client.ts';
import {
  listOf,
  orderIdSchema,
  paymentIdSchema,
  providerDisputeSchema,
  providerOrderSchema,
  providerPaymentSchema,
  providerRefundSchema,
  type ProviderDispute,
  type ProviderList,
  type ProviderOrder,
  type ProviderPayment,
  type ProviderRefund,
} from './razorpay-entities.ts';

/** The provider's API. Every call has a time limit and throws only PaymentProviderError. */
export interface PaymentProvider {
  keyId: string;
  /**
   * The secrets that verify signatures: the current one, and the previous one while keys are changed, because a Checkout that was
   * opened with the old key is signed with its secret. They never leave the server.
   */
  keySecrets: readonly string[];
  /** Makes an order, or finds the one made with this receipt when the response was lost. */
  createOrder: (order: NewProviderOrder) => Promise<ProviderOrder>;
  fetchOrder: (orderId: string) => Promise<ProviderOrder>;
  fetchPayment: (paymentId: string) => Promise<ProviderPayment>;
  fetchOrderPayments: (orderId: string) => Promise<ProviderList<ProviderPayment>>;
  /** A page of the payments made between two times (Unix seconds), newest first; at most 100 with each call. */
  listPayments: (page: ListedPage) => Promise<ProviderList<ProviderPayment>>;
  /** A page of the refunds made between two times, of whichever payments, newest first. */
  listRefunds: (page: ListedPage) => Promise<ProviderList<ProviderRefund>>;
  /** A page of all disputes, newest first. */
  listDisputes: (page: Pick<ListedPage, 'skip'>) => Promise<ProviderList<ProviderDispute>>;
  /** Captures an authorised payment, which makes it money. Refused when it is captured already. */
  capture: (payment: ProviderPayment) => Promise<ProviderPayment>;
  fetchRefunds: (paymentId: string) => Promise<ProviderList<ProviderRefund>>;
  /** Refunds an amount. The same key never refunds twice. */
  refund: (refund: {
    paymentId: string;
    amountPaise: Paise;
    idempotencyKey: string;
  }) => Promise<ProviderRefund>;
}

/** A page of a list: times in Unix seconds, and how many entries to skip. */
export interface ListedPage {
  from: number;
  to: number;
  skip: number;
}

export interface NewProviderOrder {
  /** Our order’s reference, unique, at most 40 characters. */
  receipt: string;
  amountPaise: Paise;
  currency: string;
  notes: Readonly<Record<string, string>>;
  /** True when an earlier try may have made it already: then it is looked for first. */
  mayExist?: boolean;
}

/** The maximum page size of the provider's lists. */
export const listCount = 100;

/*
 * Every order asks for automatic capture, up to 12 minutes after the payment was made (the minimum that Razorpay accepts) and
 * by hand for the 5 days that it can take a bank to answer; what is not captured goes back at the usual speed.
 * https://razorpay.com/docs/payments/payments/capture-settings/
 */
const automaticCapture = {
  capture: 'automatic',
  capture_options: {
    automatic_expiry_period: 12,
    manual_expiry_period: 7200,
    refund_speed: 'normal',
  },
};

/** Three calls (create, look up, create again) fit into the 30 seconds that the customer's browser waits. */
const usualTimeoutMs = 9_000;

/** Opens Razorpay with the configured keys. Throws ConfigurationError; see `paymentEnv`. */
export function createRazorpay(
  deployContext?: string,
  timeoutMs = usualTimeoutMs,
): PaymentProvider {
  const env = paymentEnv(deployContext);
  const keyId = env.RAZORPAY_KEY_ID;
  const keySecret = env.RAZORPAY_KEY_SECRET;
  const sdk = new Razorpay({ key_id: keyId, key_secret: keySecret });
  const client = configureClient(sdk, env.RAZORPAY_API_URL, timeoutMs);

  const findByReceipt = async ({
    receipt,
    amountPaise,
    currency,
  }: NewProviderOrder): Promise<ProviderOrder | undefined> => {
    const { items } = await ask(
      () => sdk.orders.all({ receipt, count: 10 }),
      listOf(providerOrderSchema),
    );
    return items.find(
      (order) =>
        order.receipt === receipt && order.amount === amountPaise && order.currency === currency,
    );
  };
  const create = async ({
    receipt,
    amountPaise,
    currency,
    notes,
  }: NewProviderOrder): Promise<ProviderOrder> =>
    ask(
      // `payment` is not in the SDK's types: without it, capture depends on a switch in the provider's dashboard.
      () =>
        sdk.orders.create({
          receipt,
          amount: amountPaise,
          currency,
          notes: { ...notes },
          payment: automaticCapture,
        } as Parameters<typeof sdk.orders.create>[0]),
      providerOrderSchema,
    );

  return {
    keyId,
    keySecrets: [keySecret, env.RAZORPAY_KEY_SECRET_PREVIOUS ?? ''],
    async createOrder(order) {
      const earlier = order.mayExist === true ? await findByReceipt(order) : undefined;
      if (earlier) return earlier;
      try {
        return await create(order);
      } catch (error) {
        if (!toProviderError(error).mayHaveHappened) throw error;
        return (await findByReceipt(order)) ?? (await create(order));
      }
    },
    async fetchOrder(orderId) {
      const id = checkId(orderIdSchema, orderId);
      return ask(() => sdk.orders.fetch(id), providerOrderSchema);
    },
    async fetchPayment(paymentId) {
      const id = checkId(paymentIdSchema, paymentId);
      return ask(() => sdk.payments.fetch(id), providerPaymentSchema);
    },
    async fetchOrderPayments(orderId) {
      const id = checkId(orderIdSchema, orderId);
      return ask(() => sdk.orders.fetchPayments(id), listOf(providerPaymentSchema));
    },
    async listPayments({ from, to, skip }) {
      return ask(
        () => sdk.payments.all({ from, to, skip, count: listCount }),
        listOf(providerPaymentSchema),
      );
    },
    async listRefunds({ from, to, skip }) {
      return ask(
        () => sdk.refunds.all({ from, to, skip, count: listCount }),
        listOf(providerRefundSchema),
      );
    },
    async listDisputes({ skip }) {
      return ask(() => sdk.disputes.all({ skip, count: listCount }), listOf(providerDisputeSchema));
    },
    async capture({ id, amount, currency }) {
      return ask(
        () => sdk.payments.capture(checkId(paymentIdSchema, id), amount, currency),
        providerPaymentSchema,
      );
    },
    async fetchRefunds(paymentId) {
      const id = checkId(paymentIdSchema, paymentId);
      return ask(
        () => sdk.payments.fetchMultipleRefund(id, { count: listCount }),
        listOf(providerRefundSchema),
      );
    },
    async refund({ paymentId, amountPaise, idempotencyKey }) {
      const path = `/v1/payments/${checkId(paymentIdSchema, paymentId)}/refund`;
      const headers = { 'X-Refund-Idempotency': idempotencyKey };
      const body = { amount: amountPaise, speed: 'normal', receipt: idempotencyKey };
      return ask(
        async () => (await client.post(path, body, { headers })).data,
        providerRefundSchema,
      );
    },
  };
}
