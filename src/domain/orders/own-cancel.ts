import * as z from 'zod/mini';

/** Body of POST /api/orders/:id/cancel. `paid` is what the customer saw: giving up an unpaid order never cancels a paid one. */
export const ownCancelSchema = z.object({ key: z.uuid(), paid: z.boolean() });
export type OwnCancel = z.infer<typeof ownCancelSchema>;
