import type { Order } from './order.ts';

/** Who gets the parcel and is called by the courier: the recipient of a gift, else the customer. Documents name the customer. */
export const recipientOf = (
  order: Pick<Order, 'customerName' | 'customerPhone' | 'recipientName' | 'recipientPhone'>,
): { name: string; phone: string } => ({
  name: order.recipientName || order.customerName,
  phone: order.recipientPhone || order.customerPhone,
});
