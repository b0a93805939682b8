import { $toasts, dismissToast, showToast, type ToastOptions } from './toasts.ts';

/*
 * Messages of one flow: a newer one takes the place of the older, so that 'sent' never stands above 'failed'. Apart from
 * `toasts.ts`, whose bytes every page carries.
 */

type Flow = 'checkout' | 'admin-login';

const latest = new Map<Flow, number>();

/** Whether a message of the flow is on screen. */
export const isFlowShown = (flow: Flow): boolean =>
  $toasts.get().some(({ id }) => id === latest.get(flow));

/** Shows a message in the place of the last one of its flow. */
export function showFlowToast(flow: Flow, title: string, options: ToastOptions = {}): void {
  const last = latest.get(flow);
  if (last !== undefined) dismissToast(last);
  latest.set(flow, showToast(title, options));
}
