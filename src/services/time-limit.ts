/**
 * A signal that aborts after `ms` with a TimeoutError, or when the caller aborts its `controller`. It stands for
 * `AbortSignal.timeout` and `AbortSignal.any`, which some supported browsers do not have.
 */
export function timeLimit(ms: number, controller = new AbortController()): AbortSignal {
  setTimeout(() => {
    controller.abort(new DOMException('', 'TimeoutError'));
  }, ms);
  return controller.signal;
}
