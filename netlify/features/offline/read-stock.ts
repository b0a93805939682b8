import * as z from 'zod/mini';
import { database, readRows } from '#core/platform/database.ts';

const rowSchema = z.object({
  name: z.string(),
  category: z.string(),
  stock: z.int(),
  sizes: z.array(z.object({ size: z.string(), stock: z.int() })),
});
/** A product and how many there are of it. */
export type StockRow = z.infer<typeof rowSchema>;

/** The stock of all products that are not deleted, by name; of the first thousand, which is what one request answers. */
export const readStock = (): Promise<StockRow[]> =>
  readRows(
    'The stock',
    database()
      .from('products')
      .select('name, category, stock, sizes')
      .is('deleted_at', null)
      .order('name')
      .order('id')
      .limit(1000),
    z.array(rowSchema),
  );
