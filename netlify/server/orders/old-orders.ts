import * as z from 'zod/mini';
import { csvFileLimits } from '../../../src/domain/admin/csv-table.ts';
import {
  oldOrderSchema,
  oldOrdersOutcomeSchema,
  oldOrdersSchema,
  type OldOrdersOutcome,
} from '../../../src/domain/admin/orders/old-orders.ts';
import { callFunction } from '../platform/database.ts';
import { parseOrRefuse, readJson } from '../platform/request-body.ts';

/** Twenty at a time, as the page shows them. */
const pageSize = 20;

const querySchema = z.object({
  q: z._default(z.string().check(z.maxLength(200, 'Search for fewer words')), ''),
  offset: z._default(z.pipe(z.string().check(z.regex(/^\d{1,7}$/u)), z.transform(Number)), 0),
});
const importSchema = z.object({
  orders: z.array(oldOrderSchema).check(
    z.minLength(1, 'There is nothing to take in'),
    z.maxLength(csvFileLimits.rows, 'These are too many at once'),
    z.refine(
      (orders) => new Set(orders.map(({ number }) => number)).size === orders.length,
      'A number is there twice',
    ),
  ),
  /** False only says what would happen. */
  save: z.boolean(),
});
const removeSchema = z.object({
  numbers: z
    .array(z.string().check(z.maxLength(60)))
    .check(z.minLength(1), z.maxLength(csvFileLimits.rows)),
});

/** A page of old orders that match, newest first. Throws 400. */
export async function listOldOrders({
  searchParams,
}: URL): Promise<z.infer<typeof oldOrdersSchema>> {
  const { q, offset } = parseOrRefuse(querySchema, Object.fromEntries(searchParams));
  return callFunction(
    'list_old_orders',
    { p_search: q, p_offset: offset, p_limit: pageSize },
    oldOrdersSchema,
  );
}

/** Takes old orders in, all or none, or only says what that would do. Throws 400. */
export async function importOldOrders(
  request: Request,
): Promise<OldOrdersOutcome & { saved: boolean }> {
  const { orders, save } = await readJson(request, importSchema, 5 * 1024 * 1024);
  const outcome = await callFunction(
    'import_old_orders',
    { p_rows: orders, p_save: save },
    oldOrdersOutcomeSchema,
  );
  return { ...outcome, saved: save };
}

/** Forgets old orders; how many there were. Throws 400. */
export async function removeOldOrders(request: Request): Promise<number> {
  const { numbers } = await readJson(request, removeSchema);
  return callFunction('remove_old_orders', { p_numbers: numbers }, z.int());
}
