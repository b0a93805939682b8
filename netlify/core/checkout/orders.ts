import * as z from 'zod/mini';
import { requireCustomer } from '#core/auth/customer.ts';
import { idColumn } from '#domain/orders/order-row.ts';
import { callFunction, database, readRows } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

const identified = z.union([
  z.int(),
  z.pipe(z.string().check(z.regex(/^\d{1,15}$/u)), z.transform(Number)),
]);

const storedOrderSchema = z.object({
  id: identified,
  user_id: z.nullable(z.string()),
  merchant_transaction_id: z.string(),
  /** '' for a cash order without an advance. */
  razorpay_order_id: z.pipe(
    z.nullable(z.string()),
    z.transform((id) => id ?? ''),
  ),
  status: z.string(),
  payment_status: z.string(),
  hold_state: z.nullable(z.string()),
  payment_id: z.nullable(z.string()),
});
/** An order as the payment endpoints need it. */
export type StoredOrder = z.infer<typeof storedOrderSchema>;

/** The number and the reference of an order as answers have them. The spec (section 7) has the reference as `id`, too. */
export const numbersOf = ({
  id: number,
  merchant_transaction_id: reference,
}: Pick<StoredOrder, 'id' | 'merchant_transaction_id'>): {
  id: string;
  reference: string;
  number: number;
} => ({ id: reference, reference, number });

const columns =
  'id,user_id,merchant_transaction_id,razorpay_order_id,status,payment_status,hold_state,payment_id';

/** The same response for an order that does not exist and for another person's. */
const notFound = (): HttpError => new HttpError(404, 'not_found', 'Order not found');

/**
 * Reads the customer's own order by its id at Razorpay or its reference. Session and order are read in parallel. Throws 401 without a
 * valid token, 404 when there is no such order, or it is not theirs.
 */
export async function requireOwnOrder(request: Request, id: string): Promise<StoredOrder> {
  const [customer, order] = await Promise.all([
    requireCustomer(request, 'see your order'),
    findOrder(id, idColumn(id)),
  ]);
  if (order?.user_id !== customer.id) throw notFound();
  return order;
}

/** Any order by its id at Razorpay: only for calls that carry the provider's signature. */
export async function findOrder(
  id: string,
  column: ReturnType<typeof idColumn> = 'razorpay_order_id',
): Promise<StoredOrder | undefined> {
  const query = database().from('orders').select(columns).eq(column, id);
  const [order] = await readRows('order', query.limit(1), z.array(storedOrderSchema));
  return order;
}

/** Stores the provider's order id and the API key that made it; the first one stored wins and is returned. */
export async function attachRazorpayOrder(
  orderId: number,
  razorpayOrderId: string,
  keyId: string,
): Promise<string> {
  const args = { p_order_id: orderId, p_razorpay_order_id: razorpayOrderId, p_key_id: keyId };
  const answer = await callFunction(
    'attach_razorpay_order',
    args,
    z.object({ razorpay_order_id: z.string() }),
  );
  return answer.razorpay_order_id;
}

/** What SQL `release_order` answers. */
export const releaseOutcomes = ['released', 'already', 'paid'] as const;
const releaseSchema = z.object({ outcome: z.enum(releaseOutcomes) });

/** Reasons for which the shop ends an unpaid order. SQL `release_order` has the same list: any other is the customer's act. */
export const endedByShop = ['ended_by_admin', 'payment_provider', 'unknown_at_provider'] as const;
/** Why an unpaid order ends. `expired`: its time is over. */
type ReleaseReason = (typeof endedByShop)[number] | 'expired';

/** Gives an unpaid order's stock back, once, and marks it FAILED. Never touches a paid one. */
export async function releaseOrder(
  orderId: number,
  reason: ReleaseReason,
): Promise<z.infer<typeof releaseSchema>['outcome']> {
  const answer = await callFunction(
    'release_order',
    { p_order_id: orderId, p_reason: reason },
    releaseSchema,
  );
  return answer.outcome;
}
