import * as z from 'zod';
import type { Handler } from '#local/emulators/http/handler.ts';
import { json } from '#local/emulators/http/handler.ts';
import { disputePayment } from './disputes.ts';
import { faultsSchema, noFaults } from './faults.ts';
import { authorizeLate } from './late-authorization.ts';
import { parseInput } from './orders.ts';
import { attemptSchema, capture, failOrder, findPayment, payOrder } from './payments.ts';
import { isForm, readInput } from './read-input.ts';
import { refundUncaptured, settleRefund } from './refunds.ts';
import type { SandboxParts } from './sandbox-parts.ts';
import { showSandbox } from './sandbox-page.ts';
import { signPayment } from './signature.ts';

const home = '/local/razorpay/';

/** Controls of the sandbox for people and tests: view it, inject faults, pay an order "from another device". */
export function controlRoutes(parts: SandboxParts): Handler {
  return async (request) => {
    const { pathname } = new URL(request.url);
    const path = pathname.slice(home.length);
    if (pathname === '/local/razorpay' || path === '')
      return showSandbox(parts.ledger.records, parts.faults.current());
    if (path === 'state.json')
      return json({ ...parts.ledger.records, faults: parts.faults.current() });
    if (path === 'faults') return changeFaults(parts, request);
    const [, disputed] = /^payments\/(\w+)\/dispute$/u.exec(path) ?? [];
    if (request.method === 'POST' && disputed !== undefined) {
      const { dispute, events } = disputePayment(parts.ledger, disputed, await readInput(request));
      parts.webhooks.enqueue(events);
      return json(dispute);
    }
    const [, settled, ending] = /^refunds\/(\w+)\/(process|fail)$/u.exec(path) ?? [];
    if (request.method === 'POST' && settled !== undefined) {
      const status = ending === 'fail' ? 'failed' : 'processed';
      const { refund, events } = settleRefund(parts.ledger, settled, status);
      parts.webhooks.enqueue(events);
      return isForm(request) ? backHome() : json(refund);
    }
    const [, id, action] =
      /^(?:orders|payments)\/(\w+)\/(pay|fail|capture|authorize|expire)$/u.exec(path) ?? [];
    if (request.method !== 'POST' || id === undefined) return undefined;
    const attempt = parseInput(attemptSchema, await readInput(request));
    const { payment, events } =
      action === 'pay'
        ? payOrder(parts.ledger, id, attempt)
        : action === 'fail'
          ? failOrder(parts.ledger, id, attempt)
          : changePayment(parts, id, action);
    parts.webhooks.enqueue(events);
    if (isForm(request)) return backHome();
    const signature = signPayment(payment.order_id, payment.id, parts.keySecret);
    return json({
      payment,
      razorpay_payment_id: payment.id,
      razorpay_order_id: payment.order_id,
      razorpay_signature: signature,
    });
  };
}

/** What the bank, or time, does to a payment without the shop. */
const changes: Readonly<Record<string, typeof capture>> = {
  capture,
  authorize: authorizeLate,
  expire: refundUncaptured,
};

function changePayment(
  { ledger }: SandboxParts,
  id: string,
  action = '',
): ReturnType<typeof payOrder> {
  const payment = findPayment(ledger, id);
  return { payment, events: changes[action]?.(ledger, payment) ?? [] };
}

async function changeFaults(
  { faults }: SandboxParts,
  request: Request,
): Promise<Response | undefined> {
  if (request.method === 'DELETE') faults.set(noFaults());
  else if (request.method === 'POST') {
    const input = await readInput(request);
    faults.set(parseInput(faultsSchema, isForm(request) ? fromForm(input) : input));
    if (isForm(request)) return backHome();
  } else if (request.method !== 'GET') return undefined;
  return json(faults.current());
}

/** The page's form has flat names, and empty fields for what is left alone. */
function fromForm(input: unknown): unknown {
  const fields = z.record(z.string(), z.string()).parse(input);
  const given = (name: string): string | undefined =>
    fields[name] === '' ? undefined : fields[name];
  return {
    api: {
      delayMs: given('delayMs'),
      status: given('status'),
      dropReply: fields['dropReply'] === 'on' ? true : undefined,
      times: given('times'),
    },
    webhook: { mode: given('mode'), delayMs: given('webhookDelayMs') },
    refund: { pending: fields['pending'] === 'on' },
  };
}

const backHome = (): Response => new Response(null, { status: 303, headers: { location: home } });
