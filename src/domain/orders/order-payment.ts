import type { Order } from './order.ts';

/** Razorpay's payment methods, as people write them. */
const paymentMethods: ReadonlyMap<string, string> = new Map([
  ['upi', 'UPI'],
  ['netbanking', 'net banking'],
  ['emi', 'EMI'],
  ['bank', 'bank transfer'],
]);

/** Whether a payment was taken by hand (cash, a transfer): Razorpay knows nothing of it, and what goes back goes by hand too. */
export const isByHand = (paymentId: string | null): boolean =>
  paymentId?.startsWith('hand_') === true;

/** 'upi' → 'UPI'; a method that has no other name here as it is. */
export const paymentMethodLabel = (method: string): string => paymentMethods.get(method) ?? method;

/** The name of a payment for people: 'pay_…'; one by hand 'cash', or 'UPI, 4321' with the admin's note. */
export function paymentText({
  paymentId,
  paymentMethod,
  paymentReference,
}: Pick<Order, 'paymentId' | 'paymentMethod' | 'paymentReference'>): string {
  if (!isByHand(paymentId)) return paymentId ?? '';
  return [paymentMethodLabel(paymentMethod ?? ''), paymentReference].filter(Boolean).join(', ');
}
