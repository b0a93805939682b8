import * as z from 'zod/mini';
import { changes, reads } from '#domain/admin/endpoint.ts';
import { doneSchema, emptySchema } from '#domain/admin/plain-schemas.ts';
import { orderDetailsSchema } from './order-details.ts';
import {
  cancelRequestSchema,
  fulfilmentChangeSchema,
  refundRequestSchema,
} from './order-requests.ts';
import { adminOrderSchema, orderPageSchema } from './orders.ts';

/** An order after a change of it. */
export const orderAnswerSchema = z.object({ order: adminOrderSchema });

const order = '/api/admin/orders/:id';

export const ordersApi = {
  /** Takes the query `q`, `filter`, `cursor` and `limit`. */
  list: reads('/api/admin/orders', orderPageSchema),
  read: reads(order, orderAnswerSchema),
  changeFulfilment: changes(
    'POST',
    `${order}/fulfilment`,
    fulfilmentChangeSchema,
    orderAnswerSchema,
  ),
  /** The same key is one refund, however often it is sent. */
  refund: changes('POST', `${order}/refund`, refundRequestSchema, orderAnswerSchema),
  /** Before the order ships. The full amount goes back. */
  cancel: changes('POST', `${order}/cancel`, cancelRequestSchema, orderAnswerSchema),
  /** Ends the hold of an unpaid order. 409 when it is being paid. */
  endHold: changes('POST', `${order}/release`, emptySchema, orderAnswerSchema),
  /** Corrects the customer's details, or writes the admin's note. 409 when it is too late, or somebody else did. */
  changeDetails: changes('POST', `${order}/details`, orderDetailsSchema, orderAnswerSchema),
  /** Mails the customer their invoice, once a minute at most. 409 when it has none. */
  mailInvoice: changes('POST', `${order}/mail-invoice`, emptySchema, orderAnswerSchema),
  /** Ends the links to the order that were mailed so far: tracking, invoice, damage. */
  withdrawLinks: changes('POST', `${order}/withdraw-links`, emptySchema, orderAnswerSchema),
};

/** Sends back a payment that matches no order, or tries a failed refund again. The same key is one refund. */
export const refundPayment = changes(
  'POST',
  '/api/admin/payments/:paymentId/refund',
  z.object({ key: z.uuid() }),
  doneSchema,
);
