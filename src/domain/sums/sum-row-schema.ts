import * as z from 'zod/mini';
import { rowRefunds, rowTaxes } from './sum-rows.ts';

/** A `SumRow` as endpoints answer it. */
export const sumRowSchema = z.object({
  kind: z.string(),
  paise: z.int(),
  label: z.nullable(z.string()),
  tax: z.enum(rowTaxes),
  refund: z.enum(rowRefunds),
});
