import * as z from 'zod/mini';
import { customerDetailsSchema } from '#domain/checkout/forms.ts';
import type { AdminOrder } from './orders.ts';
import { typedLines } from '#domain/typed-text.ts';

const { name, phone, address, city, postalCode, gstin, recipientName, recipientPhone } =
  customerDetailsSchema.shape;
const note = z
  .string()
  .check(typedLines(), z.maxLength(2_000, 'A note has at most 2000 characters'));
const change = <To extends z.core.$ZodType>(to: To) =>
  z.optional(z.object({ from: z.string().check(z.maxLength(5_000)), to }));

/**
 * Body of POST /api/admin/orders/:id/details: what changes, with the value that the admin saw. A correction is for an order
 * that is not sent yet; the admin's own note for any.
 */
export const orderDetailsSchema = z.object({
  name: change(name),
  phone: change(phone),
  address: change(address),
  city: change(city),
  postalCode: change(postalCode),
  gstin: change(gstin),
  recipientName: change(recipientName),
  recipientPhone: change(recipientPhone),
  adminNote: change(note),
});
export type OrderDetailsChange = z.infer<typeof orderDetailsSchema>;
export type OrderDetail = keyof OrderDetailsChange;

export const orderDetailLabels: Readonly<Record<OrderDetail, string>> = {
  name: 'Name',
  phone: 'Phone',
  address: 'Address',
  city: 'City',
  postalCode: 'Postal Code',
  gstin: 'GSTIN',
  recipientName: 'Recipient’s name',
  recipientPhone: 'Recipient’s phone',
  adminNote: 'Note',
};

/** The details of an order as they stand. */
export const orderDetails = (order: AdminOrder): Record<OrderDetail, string> => ({
  name: order.customerName,
  phone: order.customerPhone,
  address: order.address,
  city: order.city,
  postalCode: order.postalCode,
  gstin: order.gstin,
  recipientName: order.recipientName,
  recipientPhone: order.recipientPhone,
  adminNote: order.adminNote,
});

/**
 * The details that differ from the order's. Unchanged details are not validated: an imported order's may be shorter
 * than the shop's form allows.
 */
export function changedDetails(
  order: AdminOrder,
  typed: Partial<Record<OrderDetail, string>>,
): Record<string, { from: string; to: string }> {
  const stored = orderDetails(order);
  const entries = Object.entries(typed) as [OrderDetail, string][];
  return Object.fromEntries(
    entries.flatMap(([field, to]) =>
      to.trim() === stored[field].trim() ? [] : [[field, { from: stored[field], to }]],
    ),
  );
}
