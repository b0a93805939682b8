import { shop } from '#settings/shop.ts';
import type { Paise } from '#domain/money.ts';
import { ShownError } from '#domain/shown-error.ts';

/** A refusal with a message for the customer, word for word from the spec's error catalogue (section 8). */
export class PaymentError extends ShownError {
  override name = 'PaymentError';
}

/** Currencies that Checkout may be opened with (spec section 9). */
const currencies: ReadonlySet<string> = new Set(['INR', 'USD', 'EUR', 'GBP']);

/** The currency if accepted, else INR with a warning through `warn` (spec section 5). */
export function acceptCurrency(currency: unknown, warn: (message: string) => void): string {
  if (typeof currency === 'string' && currencies.has(currency)) return currency;
  warn(`Currency ${JSON.stringify(currency)} is not accepted; INR is used`);
  return shop.currency;
}

/** Throws a PaymentError unless the amount is finite and within ₹1 and ₹10,00,000. Input in paise. */
export function checkAmount(amount: Paise): void {
  if (!Number.isFinite(amount)) throw new PaymentError('Invalid amount value');
  if (amount < shop.limits.minAmountPaise) throw new PaymentError('Amount must be at least ₹1');
  if (amount > shop.limits.maxAmountPaise)
    throw new PaymentError('Amount exceeds maximum limit of ₹10,00,000');
}

/** Throws a PaymentError unless the customer can be reached (spec section 5). */
export function checkCustomer(customer: { name: string; email: string; phone: string }): void {
  if (customer.name.trim() === '') throw new PaymentError('Customer name is required');
  if (!customer.email.includes('@')) throw new PaymentError('Valid customer email is required');
  if (customer.phone.trim().length < 10)
    throw new PaymentError('Valid customer phone number is required');
}

/** The part of create-order's response that Checkout needs. */
export interface CreatedOrder {
  orderId: string;
  key: string | null;
  currency: unknown;
  /** Paise, when the backend returns what it will charge. */
  amount: Paise | null;
  /** The order's reference. */
  reference: string | null;
  /** Until when the order holds its stock (ms since the epoch), when the backend returns it. */
  holdUntil: number | null;
  /** Nothing is paid online: the order is paid at the door. */
  isReserved: boolean;
  /** The customer placed this order before, and it waits for the shop. */
  isRepeated: boolean;
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const at = (json: Json, ...path: string[]): unknown =>
  path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), json);

const given = (values: unknown[]): unknown =>
  values.find((value) => value !== undefined && value !== null && value !== '');

const orderIdKeys = ['order_id', 'id', 'orderId', 'razorpay_order_id'];

/**
 * Reads the backend's response to create-order in every shape that the spec lists (section 7).
 * Throws a PaymentError: 'Empty response from backend', 'Invalid response from backend', the response's own
 * `message` or `error`, 'Order ID missing from backend response', 'Invalid order ID received from backend'.
 */
export function readCreatedOrder(answer: unknown): CreatedOrder {
  if (answer === null || answer === undefined || answer === '')
    throw new PaymentError('Empty response from backend');
  if (!isObject(answer)) throw new PaymentError('Invalid response from backend');
  if (Object.keys(answer).length === 0) throw new PaymentError('Empty response from backend');
  const orderId = given([
    at(answer, 'payment', 'orderId'),
    ...orderIdKeys.map((key) => answer[key]),
    ...['data', 'order'].flatMap((nest) => [
      at(answer, nest, 'payment', 'orderId'),
      // `order.id` alone is the shop's own reference, so the provider's names go first.
      ...['razorpay_order_id', 'order_id', 'orderId', 'id'].map((key) => at(answer, nest, key)),
    ]),
    ...['razorpay_order_id', 'order_id', 'orderId', 'id'].map((key) =>
      at(answer, 'data', 'order', key),
    ),
  ]);
  if (orderId === undefined)
    throw new PaymentError(readError(answer) ?? 'Order ID missing from backend response');
  if (typeof orderId !== 'string') throw new PaymentError('Invalid order ID received from backend');
  const key = given([
    at(answer, 'payment', 'key'),
    answer['key_id'],
    answer['keyId'],
    answer['key'],
  ]);
  const amount = given([
    at(answer, 'payment', 'amount'),
    answer['amount'],
    at(answer, 'data', 'amount'),
  ]);
  const reference = given([at(answer, 'order', 'id'), at(answer, 'data', 'order', 'id')]);
  return {
    orderId,
    key: typeof key === 'string' ? key : null,
    currency: given([
      at(answer, 'payment', 'currency'),
      answer['currency'],
      at(answer, 'data', 'currency'),
    ]),
    amount: typeof amount === 'number' ? amount : null,
    reference:
      typeof reference === 'string' || typeof reference === 'number' ? String(reference) : null,
    holdUntil: readTime(answer['hold_expires_at']),
    isReserved: answer['reserved'] === true,
    isRepeated: answer['repeated'] === true,
  };
}

function readTime(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** The text of an error answer: `message`, else `error` when it is text, else null. */
export function readError(answer: unknown): string | null {
  if (!isObject(answer)) return null;
  const texts = [answer['message'], answer['error']];
  return texts.find((text): text is string => typeof text === 'string' && text !== '') ?? null;
}

/** Whether the backend's response to verify confirms the payment: `success` or `verified`. */
export function readVerified(answer: unknown): boolean {
  return isObject(answer) && (answer['success'] === true || answer['verified'] === true);
}
