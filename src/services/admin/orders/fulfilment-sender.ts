import type { FulfilmentChange } from '../../../domain/admin/orders/order-requests.ts';
import type { AdminOrder } from '../../../domain/admin/orders/orders.ts';
import {
  parcelsAnswerSchema,
  type ParcelsAnswer,
  type ParcelsRequest,
} from '../../../domain/admin/orders/parcels.ts';
import { AdminError } from '../admin-error.ts';
import { adminSend } from '../api.ts';
import { changeFulfilment } from './orders.ts';

interface Unchecked {
  unchecked?: boolean | undefined;
}

/**
 * Creates a sender of parcels, which are checked for refunds at Razorpay first. Once the server has answered that it could
 * not ask, the next one is sent without the check. The sender throws AdminError.
 */
function createParcelSender<Sent extends Unchecked, T>(
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

/** Creates a sender of one order's steps. */
export const createFulfilmentSender = (
  id: number,
): ((change: FulfilmentChange) => Promise<AdminOrder>) =>
  createParcelSender((change) => changeFulfilment(id, change));

/** Creates a sender of a file's tracking numbers: all or none. */
export const createParcelsSender = (): ((request: ParcelsRequest) => Promise<ParcelsAnswer>) =>
  createParcelSender((request) =>
    adminSend('POST', '/api/admin/parcels', request, parcelsAnswerSchema),
  );
