import { otherStateOfGstin } from '#domain/checkout/gstin.ts';
import { placeOfSupply } from '#domain/invoice/gst.ts';
import type { AdminOrder } from './orders.ts';

type Fields = 'gstin' | 'postalCode' | 'handedOver' | 'invoiceNumber';

/**
 * Warns of an invoice whose buyer's GSTIN is of another state than the one that the tax is for. Null when they agree, and when
 * one of them is not known. It may be right: a firm may have its parcel sent to another state than that of its registration.
 */
export function gstinNote(order: Pick<AdminOrder, Fields>): string | null {
  const supply = placeOfSupply(order);
  const other = otherStateOfGstin(order.gstin, supply);
  if (other === null || supply === null) return null;
  const where = order.handedOver ? 'the goods were handed over' : `PIN code ${order.postalCode} is`;
  return `The GSTIN is of ${other.registered} (${other.code}), but ${where} in ${supply.name} (${supply.gstCode}). ${
    order.invoiceNumber === null
      ? `The place of supply is where the goods are delivered, so the invoice will charge the GST of a sale to ${supply.name}. Ask the customer, and correct the details before the invoice is issued.`
      : `The invoice charges the GST of a sale to ${supply.name}. Tell your accountant.`
  }`;
}
