import { dismissToast, showToast, type ToastOptions } from './toasts.ts';

/*
 * Messages of one flow: a newer one takes the place of the older, so that 'sent' never stands above 'failed'. Apart from
 * `toasts.ts`, whose bytes every page carries.
 */

type Flow = 'checkout' | 'order-form' | 'admin-login';

const latest = new Map<Flow, number>();

/** The flow whose last message a new one makes old, besides its own: an outcome of the payment ends 'Order Submitted'. */
const ends: Readonly<Partial<Record<Flow, Flow>>> = { checkout: 'order-form' };

function dismissLast(flow: Flow | undefined): void {
  const last = flow && latest.get(flow);
  if (last !== undefined) dismissToast(last);
}

/** Shows a message in the place of the last one of its flow. */
export function showFlowToast(flow: Flow, title: string, options: ToastOptions = {}): void {
  dismissLast(flow);
  dismissLast(ends[flow]);
  latest.set(flow, showToast(title, options));
}
