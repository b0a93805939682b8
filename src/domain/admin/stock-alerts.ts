import * as z from 'zod/mini';

/** An address that waits for a product, or for a size of it, which is part of `name`. */
const stockAlertRowSchema = z.object({
  id: z.int(),
  productId: z.string(),
  name: z.string(),
  email: z.string(),
  at: z.string(),
});
export type StockAlert = z.infer<typeof stockAlertRowSchema>;

/** Those who wait, the newest first. */
export const stockAlertListSchema = z.array(stockAlertRowSchema);
