import * as z from 'zod/mini';

/** The admin's password, as a request carries it. */
const passwordSchema = z
  .string('Enter the password')
  .check(z.minLength(1, 'Enter the password'), z.maxLength(200, 'Wrong password'));

/** A code as it was typed. @public */
export const codeSchema = z.string('Enter the code').check(z.maxLength(60, 'Wrong code'));

/** Credentials that log the admin in and confirm who they are. The code is for a feature that checks one. */
export const credentialsSchema = z.object({
  password: passwordSchema,
  code: z.optional(codeSchema),
});
