import { readPin } from '#domain/checkout/postal-code.ts';
import type { AdminOrder } from './orders.ts';

type Fields = 'postalCode' | 'fulfilment' | 'handedOver' | 'invoiceNumber' | 'sold';

/**
 * The correction that the admin should make while a PIN code that is not six digits can still go wrong: until the parcel has left and the
 * invoice names its state. Null when there is nothing to correct. Checkout accepts 4 to 10 characters.
 */
export function pinNote({
  postalCode,
  fulfilment,
  handedOver,
  invoiceNumber,
  sold,
}: Pick<AdminOrder, Fields>): string | null {
  const isWaiting = fulfilment === 'new' || fulfilment === 'packed';
  if (!sold || handedOver || !isWaiting || readPin(postalCode) !== null) return null;
  const code = postalCode.trim();
  const what =
    code === '' ? 'This order has no PIN code' : `“${code}” is not a PIN code of six digits`;
  return invoiceNumber === null
    ? `${what}. Ask the customer and correct the details before you pack: the parcel may not arrive, and the invoice would charge IGST without naming a state.`
    : `${what}. Ask the customer and correct the details before you ship: the parcel may not arrive.`;
}
