import type { Handler } from '#local/emulators/http/handler.ts';
import { captureByRequest, findPayment } from './payments.ts';
import { createOrder, findOrder, listOrders, listPage } from './orders.ts';
import { ProviderError } from './provider-error.ts';
import { readInput } from './read-input.ts';
import { findRefund, createRefund } from './refunds.ts';
import type { SandboxParts } from './sandbox-parts.ts';
import { hasCredentials } from './signature.ts';

const base = '/local/razorpay/v1/';
const list = (items: readonly unknown[]): unknown => ({
  entity: 'collection',
  count: items.length,
  items,
});

/** The provider's API, `/local/razorpay/v1/*`: what the `razorpay` SDK calls. Basic auth is checked, faults apply. */
export function apiRoutes(parts: SandboxParts): Handler {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith(base)) return undefined;
    return parts.faults.apply(async () => {
      try {
        if (!hasCredentials(request.headers.get('authorization'), parts.keyId, parts.keySecret)) {
          throw new ProviderError('Authentication failed', { status: 401 });
        }
        const steps = pathname.slice(base.length).split('/').map(decodeURIComponent);
        return Response.json(await routeRequest(parts, request, steps));
      } catch (error) {
        if (error instanceof ProviderError) return error.toResponse();
        throw error;
      }
    });
  };
}

async function routeRequest(
  parts: SandboxParts,
  request: Request,
  [kind, id, part, partId]: string[],
): Promise<unknown> {
  const { ledger } = parts;
  const call = [
    request.method,
    kind,
    id === undefined ? '' : ':id',
    part ?? '',
    partId === undefined ? '' : ':id',
  ]
    .filter((word) => word !== '')
    .join(' ');
  switch (call) {
    case 'POST orders':
      return createOrder(ledger, await readInput(request));
    case 'GET orders':
      return list(listOrders(ledger, new URL(request.url).searchParams));
    case 'GET orders :id':
      return findOrder(ledger, id ?? '');
    case 'GET orders :id payments': {
      const order = findOrder(ledger, id ?? '');
      return list(ledger.records.payments.filter(({ order_id }) => order_id === order.id));
    }
    case 'GET payments':
      return list(listPage(ledger.records.payments, new URL(request.url).searchParams));
    case 'GET refunds':
      return list(listPage(ledger.records.refunds, new URL(request.url).searchParams));
    case 'GET disputes':
      return list(listPage(ledger.records.disputes, new URL(request.url).searchParams));
    case 'GET payments :id':
      return findPayment(ledger, id ?? '');
    case 'POST payments :id capture': {
      const { payment, events } = captureByRequest(ledger, id ?? '', await readInput(request));
      parts.webhooks.enqueue(events);
      return payment;
    }
    case 'POST payments :id refund': {
      const key = request.headers.get('x-refund-idempotency');
      const { pending } = parts.faults.current().refund;
      const input = await readInput(request);
      const { refund, events } = createRefund(ledger, id ?? '', input, key, pending);
      parts.webhooks.enqueue(events);
      return refund;
    }
    case 'GET payments :id refunds': {
      const payment = findPayment(ledger, id ?? '');
      return list(ledger.records.refunds.filter(({ payment_id }) => payment_id === payment.id));
    }
    case 'GET payments :id refunds :id':
      return findRefund(ledger, partId ?? '');
    case 'GET refunds :id':
      return findRefund(ledger, id ?? '');
    default:
      throw new ProviderError('The requested URL was not found on the server.', { status: 404 });
  }
}
