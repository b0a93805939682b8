import type { OwnCancel } from '#domain/orders/own-cancel.ts';
import { getAccessToken } from '#services/auth/account.ts';
import { explainFault, readJson, request as send } from '#services/connection.ts';
import { timeLimit } from '#services/time-limit.ts';

/** Refusals carry the endpoint's own message, which is shown as it is. */
function messageOf(json: unknown): string {
  return typeof json === 'object' && json !== null && 'message' in json
    ? String(json.message)
    : 'Please try again.';
}

/**
 * Gives up the customer's unpaid order, or cancels a paid one (`paid`: what the customer saw). The same key may be sent
 * again. @throws an Error with a sentence to show.
 */
export async function cancelOwnOrder(orderId: string, request: OwnCancel): Promise<void> {
  const token = await getAccessToken();
  if (token === null) throw new Error('Please sign in again.');
  let answer: Response;
  try {
    answer = await send(`/api/orders/${encodeURIComponent(orderId)}/cancel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(request),
      signal: timeLimit(30_000),
    });
  } catch (error) {
    throw new Error(explainFault(error), { cause: error });
  }
  if (!answer.ok) throw new Error(messageOf(await readJson(answer)));
}
