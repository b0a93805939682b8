import type { SandboxDispute, SandboxOrder, SandboxPayment, SandboxRefund } from './entities.ts';

/** An event before it gets its id: its name and the payload of its envelope. */
export interface NewEvent {
  event: string;
  contains: readonly string[];
  payload: Readonly<Record<string, unknown>>;
}

const copy = <T extends object>(entity: T): { entity: T } => ({ entity: structuredClone(entity) });

export function paymentEvent(
  event: 'payment.authorized' | 'payment.captured' | 'payment.failed',
  payment: SandboxPayment,
): NewEvent {
  return { event, contains: ['payment'], payload: { payment: copy(payment) } };
}

export function orderPaidEvent(order: SandboxOrder, payment: SandboxPayment): NewEvent {
  return {
    event: 'order.paid',
    contains: ['payment', 'order'],
    payload: { payment: copy(payment), order: copy(order) },
  };
}

export function refundEvent(
  event: 'refund.created' | 'refund.processed' | 'refund.failed',
  refund: SandboxRefund,
  payment: SandboxPayment,
): NewEvent {
  return {
    event,
    contains: ['refund', 'payment'],
    payload: { refund: copy(refund), payment: copy(payment) },
  };
}

export function disputeEvent(
  dispute: SandboxDispute,
  payment: SandboxPayment,
  name = dispute.status === 'open' ? 'created' : dispute.status,
): NewEvent {
  return {
    event: `payment.dispute.${name}`,
    contains: ['payment', 'dispute'],
    payload: { payment: copy(payment), dispute: copy(dispute) },
  };
}
