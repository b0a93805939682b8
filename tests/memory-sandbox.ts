import { apiRoutes } from '#local/emulators/razorpay/api-routes.ts';
import type { NewEvent } from '#local/emulators/razorpay/events.ts';
import { createFaultBoard } from '#local/emulators/razorpay/faults.ts';
import type { Ledger, Records } from '#local/emulators/razorpay/ledger.ts';
import type { SandboxOptions } from '#local/emulators/razorpay/sandbox-parts.ts';

/** The embedded stack's payment sandbox over a ledger in memory: its rules and its API, without a server. */
export interface MemorySandbox {
  ledger: Ledger;
  records: Records;
  /** Answers a request to `/v1/…` of Razorpay's API. */
  answer: (request: Request) => Promise<Response>;
  /** Forgets everything. */
  reset: () => void;
}

export function createMemorySandbox(
  keys: Pick<SandboxOptions, 'keyId' | 'keySecret' | 'webhookSecret'>,
  enqueue: (events: readonly NewEvent[]) => void = () => undefined,
): MemorySandbox {
  const empty = (): Records => ({
    orders: [],
    payments: [],
    refunds: [],
    disputes: [],
    refundKeys: {},
    deliveries: [],
  });
  const records = empty();
  const ledger: Ledger = { records, save: () => undefined, settled: () => Promise.resolve() };
  const routes = apiRoutes({
    ...keys,
    file: '',
    origin: '',
    ledger,
    faults: createFaultBoard(),
    webhooks: { enqueue, close: () => Promise.resolve() },
  });
  return {
    ledger,
    records,
    async answer(request) {
      const url = new URL(request.url);
      url.pathname = url.pathname.replace(/^\/v1\//u, '/local/razorpay/v1/');
      const response = await routes(new Request(url, request));
      if (!response) throw new Error(`The sandbox does not know ${request.url}`);
      return response;
    },
    reset() {
      const { orders, payments, refunds, disputes, deliveries } = records;
      for (const list of [orders, payments, refunds, disputes, deliveries]) list.length = 0;
      records.refundKeys = {};
    },
  };
}
