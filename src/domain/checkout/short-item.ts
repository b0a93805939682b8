import * as z from 'zod/mini';

/** A product of which fewer are left, or may be bought at once, than requested: in `items` of a 409 of create-order. */
export const shortItemSchema = z.object({
  product_id: z.string(),
  /** Set for a product with sizes; `name` includes it. */
  size: z.optional(z.string()),
  name: z.string(),
  requested: z.int(),
  available: z.int().check(z.nonnegative()),
});
export type ShortItem = z.infer<typeof shortItemSchema>;
