import * as z from 'zod';
import { newId, unixNow, type SandboxOrder } from './entities.ts';
import type { Ledger } from './ledger.ts';
import { ProviderError } from './provider-error.ts';

export const notesInput = z
  .record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean()]).transform(String).pipe(z.string().max(256)),
  )
  .refine((notes) => Object.keys(notes).length <= 15, 'The notes may not have more than 15 items.')
  .or(z.array(z.never()))
  .optional();

const captureMinutes = z.int('The expiry period must be an integer.');

/** When payments of an order are captured: https://razorpay.com/docs/payments/payments/capture-settings/api/ */
const captureSchema = z.strictObject({
  capture: z.enum(['automatic', 'manual']),
  capture_options: z
    .strictObject({
      automatic_expiry_period: captureMinutes
        .min(12, 'The automatic expiry period must be at least 12.')
        .optional(),
      manual_expiry_period: captureMinutes
        .max(7_200, 'The manual expiry period may not be greater than 7200.')
        .optional(),
      refund_speed: z.enum(['normal', 'optimum']),
    })
    .optional(),
});

const newOrderSchema = z.strictObject({
  amount: z
    .int('The amount must be an integer.')
    .min(100, 'Order amount less than minimum amount allowed')
    .max(5_000_000_000, 'Amount exceeds maximum amount allowed.'),
  currency: z.enum(['INR', 'USD', 'EUR', 'GBP'], 'Currency is not supported'),
  receipt: z.string().max(40, 'The receipt may not be greater than 40 characters.').nullish(),
  notes: notesInput,
  payment_capture: z.unknown().optional(),
  partial_payment: z.unknown().optional(),
  payment: captureSchema.optional(),
});

/** Parses a request with the first complaint as the provider's error. */
export function parseInput<T extends z.ZodType>(schema: T, input: unknown): z.infer<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const names = issue.keys.join(', ');
    throw new ProviderError(`${names} is/are not required and should not be sent`, {
      reason: 'extra_field_sent',
    });
  }
  throw new ProviderError(issue?.message ?? 'Bad request', { field: issue?.path.join('.') ?? '' });
}

/**
 * POST /v1/orders. Razorpay's documentation says both that a receipt has to be unique and that this is an option of the account:
 * the sandbox is the stricter of the two.
 */
export function createOrder(ledger: Ledger, input: unknown): SandboxOrder {
  const { amount, currency, receipt, notes } = parseInput(newOrderSchema, input);
  const isUsed = ledger.records.orders.some((order) => order.receipt === (receipt ?? ''));
  if (isUsed) throw new ProviderError('Order receipt should be unique.', { field: 'receipt' });
  const order: SandboxOrder = {
    id: newId('order'),
    entity: 'order',
    amount,
    amount_paid: 0,
    amount_due: amount,
    currency,
    receipt: receipt ?? null,
    offer_id: null,
    status: 'created',
    attempts: 0,
    notes: notes ?? [],
    created_at: unixNow(),
  };
  ledger.records.orders.unshift(order);
  ledger.save({ orders: [order] });
  return order;
}

export function findOrder(ledger: Ledger, id: string): SandboxOrder {
  const order = ledger.records.orders.find((candidate) => candidate.id === id);
  if (!order) throw new ProviderError('The id provided does not exist');
  return order;
}

const listSchema = z.object({
  count: z.coerce.number().int().min(1).max(100).default(10),
  skip: z.coerce.number().int().min(0).default(0),
  from: z.coerce.number().optional(),
  to: z.coerce.number().optional(),
});

/** A page of a list, newest first, by time: what every list of the API takes. */
export function listPage<T extends { created_at: number }>(
  entities: readonly T[],
  query: URLSearchParams,
): T[] {
  const { count, skip, from, to } = parseInput(listSchema, Object.fromEntries(query));
  return entities
    .filter(({ created_at: at }) => at >= (from ?? 0) && at <= (to ?? Number.MAX_SAFE_INTEGER))
    .slice(skip, skip + count);
}

/** GET /v1/orders, newest first, by receipt or time. */
export function listOrders({ records }: Ledger, query: URLSearchParams): SandboxOrder[] {
  const receipt = query.get('receipt');
  const orders = records.orders.filter((order) => receipt === null || order.receipt === receipt);
  return listPage(orders, query);
}
