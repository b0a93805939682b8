import { dismissToast, showToast, type ToastOptions } from './toasts.ts';

/*
 * Toasts of one flow: a newer one replaces the older, so that 'sent' never stands above 'failed'. Separate from
 * `toasts.ts`, whose bytes every page carries.
 */

type Flow = 'checkout' | 'order-form' | 'admin-login';

const latest = new Map<Flow, number>();

/** The other flow whose last toast a new one replaces: an outcome of the payment replaces 'Order Submitted'. */
const ends: Readonly<Partial<Record<Flow, Flow>>> = { checkout: 'order-form' };

function dismissLast(flow: Flow | undefined): void {
  const last = flow && latest.get(flow);
  if (last !== undefined) dismissToast(last);
}

/** Shows a toast in place of the last one of its flow. */
export function showFlowToast(flow: Flow, title: string, options: ToastOptions = {}): void {
  dismissLast(flow);
  dismissLast(ends[flow]);
  latest.set(flow, showToast(title, options));
}
