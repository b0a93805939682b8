import { AdminError } from '#services/admin/admin-error.ts';

interface Unchecked {
  unchecked?: boolean | undefined;
}

/**
 * Creates a sender of parcels, which are checked for refunds at Razorpay first. Once the server has answered that it could
 * not check, the next one is sent without the check. The sender throws AdminError.
 */
export function createUncheckedSender<Sent extends Unchecked, T>(
  send: (sent: Sent) => Promise<T>,
): (sent: Sent) => Promise<T> {
  let unchecked = false;
  return async (sent) => {
    try {
      return await send(unchecked ? { ...sent, unchecked } : sent);
    } catch (error) {
      unchecked = error instanceof AdminError && error.code === 'refunds_unknown';
      throw error;
    }
  };
}
