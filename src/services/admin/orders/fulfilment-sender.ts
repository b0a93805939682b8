import type { FulfilmentChange } from '../../../domain/admin/orders/order-requests.ts';
import type { AdminOrder } from '../../../domain/admin/orders/orders.ts';
import { AdminError } from '../admin-error.ts';
import { changeFulfilment } from './orders.ts';

/**
 * Creates a sender of one order's steps. A parcel is checked for refunds at Razorpay first; once the server has answered
 * that it could not ask, the next step is sent without the check. The sender throws AdminError.
 */
export function createFulfilmentSender(
  id: number,
): (change: FulfilmentChange) => Promise<AdminOrder> {
  let unchecked = false;
  return async (change) => {
    try {
      return await changeFulfilment(id, unchecked ? { ...change, unchecked } : change);
    } catch (error) {
      unchecked = error instanceof AdminError && error.code === 'refunds_unknown';
      throw error;
    }
  };
}
