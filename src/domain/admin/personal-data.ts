import * as z from 'zod/mini';
import { changes } from './endpoint.ts';
import { typedLine } from '#domain/typed-text.ts';

/** The address of a person who asks for their data. */
const addressSchema = z.object({
  email: z
    .string()
    .check(
      typedLine(),
      z.maxLength(254),
      z.regex(/^[^\s@]+@[^\s@]+$/u, 'Type a whole e-mail address'),
    ),
});

/** Numbers of orders of other accounts that carry the address. */
const othersSchema = z.object({ orders: z.array(z.int()) });

/** How many of a person's orders stay after erasing. */
const erasedSchema = z.object({ kept: z.int() });

export const personalDataApi = {
  /** Erases whoever has this address. Needs a confirmed session. */
  erase: changes('POST', '/api/admin/personal-data/erase', addressSchema, erasedSchema),
  /** It is a POST, so that no address is logged. */
  others: changes('POST', '/api/admin/personal-data/others', addressSchema, othersSchema),
};
