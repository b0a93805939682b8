import * as z from 'zod/mini';

/** The address of a person who asks for their data. */
export const addressSchema = z.object({
  email: z
    .string()
    .check(
      z.trim(),
      z.maxLength(254),
      z.regex(/^[^\s@]+@[^\s@]+$/u, 'Type a whole e-mail address'),
    ),
});

/** How many of a person's orders stay after erasing. */
export const erasedSchema = z.object({ kept: z.int() });
