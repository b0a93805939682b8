import * as z from 'zod/mini';

// Apart from endpoint.ts, which the login form loads: it needs no schema.

/** The body of a change that needs none. */
export const emptySchema = z.object({});

/** The answer of a change that has nothing to show. */
export const doneSchema = z.object({ ok: z.boolean() });
