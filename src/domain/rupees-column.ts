import * as z from 'zod/mini';
import { paiseFromRupees, type Paise } from './money.ts';

/** A Postgres `numeric` in rupees: a number on hosted Supabase, text on the embedded one. Output: paise. */
export const rupeesColumn = z.pipe(
  z.union([z.number(), z.string()]),
  z.transform((value, context): Paise => {
    const paise = paiseFromRupees(value);
    if (paise !== null) return paise;
    context.issues.push({ code: 'custom', message: 'Not an amount in rupees', input: value });
    return z.NEVER;
  }),
);
