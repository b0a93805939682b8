import * as z from 'zod/mini';
import { orderSchema, type Order } from '#domain/orders/order.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

const stageSchema = z.enum(['to_pack', 'packed']);
const waitingSchema = z.object({ total: z.int(), orders: z.array(orderSchema) });

/** The chosen orders of an address, '1001,1004'; null without a choice. Throws 400. */
function readChoice({ searchParams }: URL): ReadonlySet<number> | null {
  const text = searchParams.get('orders');
  if (text === null) return null;
  if (!/^\d{1,15}(?:,\d{1,15}){0,99}$/u.test(text))
    throw new HttpError(400, 'invalid_request', 'Choose up to 100 orders.');
  return new Set(text.split(',').map(Number));
}

/** The oldest orders of a stage, or the chosen ones of it, and how many wait there. */
export function readWaiting(
  stage: z.infer<typeof stageSchema>,
  limit: number,
  chosen: ReadonlySet<number> | null = null,
): Promise<z.infer<typeof waitingSchema>> {
  const args =
    chosen === null
      ? { p_stage: stage, p_limit: limit }
      : { p_stage: stage, p_limit: chosen.size, p_order_ids: [...chosen] };
  return callFunction('orders_for_slips', args, waitingSchema);
}

/** The chosen orders of both stages, oldest first. */
async function readChosen(chosen: ReadonlySet<number>): Promise<z.infer<typeof waitingSchema>> {
  const parts = await Promise.all(
    stageSchema.options.map((stage) => readWaiting(stage, chosen.size, chosen)),
  );
  const orders = parts
    .flatMap((part) => part.orders)
    .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  return { total: orders.length, orders };
}

/**
 * Reads the oldest orders of the stage that an address names, or those that it chooses, of any stage when it names none, and how many there
 * are. `sent` leaves out those that are handed over. `missing` are chosen ones that are not among them. Throws 400, or 404 when none waits
 * there.
 */
export async function ordersOfStage(
  url: URL,
  limit: number,
  sent: boolean,
): Promise<{ total: number; orders: readonly [Order, ...Order[]]; missing: readonly number[] }> {
  const chosen = readChoice(url);
  const isAnyStage = chosen !== null && !url.searchParams.has('stage');
  const stage = stageSchema.safeParse(url.searchParams.get('stage') ?? 'to_pack').data;
  if (stage === undefined)
    throw new HttpError(
      400,
      'invalid_request',
      'Slips can be printed for orders to pack and for packed orders.',
    );
  const { total, orders: all } = isAnyStage
    ? await readChosen(chosen)
    : await readWaiting(stage, limit, chosen);
  const wanted = all.filter(
    ({ id, handedOver }) => (chosen?.has(Number(id)) ?? true) && !(sent && handedOver),
  );
  const [first, ...others] = wanted.slice(0, limit);
  if (!first)
    throw new HttpError(
      404,
      'not_found',
      chosen !== null
        ? 'None of the chosen orders waits there any more. Load the list again.'
        : stage === 'packed'
          ? 'No packed orders are waiting to be shipped.'
          : 'No orders are waiting to be packed.',
    );
  const found = new Set(wanted.map(({ id }) => Number(id)));
  return {
    total: chosen === null ? total : wanted.length,
    orders: [first, ...others],
    missing: [...(chosen ?? [])].filter((id) => !found.has(id)),
  };
}

/** Names the chosen orders that a page leaves out. '' for none. */
export const missingText = (missing: readonly number[]): string =>
  missing.length === 0
    ? ''
    : ` Not among them: ${missing.join(', ')}. They do not wait any more, or have no parcel.`;
