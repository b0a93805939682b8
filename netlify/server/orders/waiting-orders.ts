import * as z from 'zod/mini';
import { orderSchema, type Order } from '../../../src/domain/orders/order.ts';
import { callFunction } from '../platform/database.ts';
import { HttpError } from '../platform/http/http-error.ts';

const stageSchema = z.enum(['to_pack', 'packed']);
const waitingSchema = z.object({ total: z.int(), orders: z.array(orderSchema) });

/**
 * Reads the oldest orders of the stage that an address names, and how many there are. `sent` leaves out those that are
 * handed over. Throws 400, or 404 when none waits there.
 */
export async function ordersOfStage(
  { searchParams }: URL,
  limit: number,
  sent: boolean,
): Promise<{ total: number; orders: readonly [Order, ...Order[]] }> {
  const stage = stageSchema.safeParse(searchParams.get('stage') ?? 'to_pack').data;
  if (stage === undefined)
    throw new HttpError(
      400,
      'invalid_request',
      'Slips can be printed for orders to pack and for packed orders.',
    );
  const { total, orders: all } = await callFunction(
    'orders_for_slips',
    { p_stage: stage, p_limit: limit },
    waitingSchema,
  );
  const [first, ...others] = sent ? all.filter(({ handedOver }) => !handedOver) : all;
  if (!first)
    throw new HttpError(
      404,
      'not_found',
      stage === 'packed'
        ? 'No packed orders are waiting to be shipped.'
        : 'No orders are waiting to be packed.',
    );
  return { total, orders: [first, ...others] };
}
