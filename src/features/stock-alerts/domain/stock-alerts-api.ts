import * as z from 'zod/mini';
import { changes, reads } from '#domain/admin/endpoint.ts';

/** An address that waits for a product, or for a size of it, which is part of `name`. */
const stockAlertRowSchema = z.object({
  id: z.int(),
  productId: z.string(),
  name: z.string(),
  email: z.string(),
  at: z.string(),
});
export type StockAlert = z.infer<typeof stockAlertRowSchema>;

/** Waiting addresses, newest first. */
export const stockAlertListSchema = z.array(stockAlertRowSchema);

const answerSchema = z.object({ alerts: stockAlertListSchema });

export const stockAlertsApi = {
  list: reads('/api/admin/stock-alert', answerSchema),
  /** Removes addresses; answers with the rest. */
  remove: changes(
    'DELETE',
    '/api/admin/stock-alert',
    z.object({ ids: z.array(z.int()).check(z.minLength(1), z.maxLength(500)) }),
    answerSchema,
  ),
};
