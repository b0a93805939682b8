import { HttpError } from '#core/platform/http/http-error.ts';
import { failureFields } from '#core/platform/http/http.ts';
import { plainPage } from '#core/platform/http/page.ts';
import { logLine } from '#core/platform/log.ts';

const titles: Readonly<Record<number, string>> = {
  401: 'Please sign in again',
  404: 'Nothing to show',
  409: 'Not now',
};
const backToOrders = { path: '/admin#orders', text: 'Back to the orders' };

/** A document opens in a tab of its own: why it cannot be shown is a page too, with the same status. */
export async function documentOrErrorPage(
  render: () => Promise<Response>,
  back = backToOrders,
): Promise<Response> {
  try {
    return await render();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // The request's own line has the status only.
    if (error.status >= 500) logLine({ task: 'page', ...failureFields(error) });
    const sentence = error.status === 401 ? 'Your session has ended.' : error.message;
    return plainPage(error.status, titles[error.status] ?? 'Just a moment', sentence, back);
  }
}
