import * as z from 'zod/mini';
import { changes, reads } from '#domain/admin/endpoint.ts';
import { orderAnswerSchema } from '#domain/admin/orders/orders-api.ts';
import { minRefundPaise, quantitiesSchema } from '#domain/admin/orders/order-requests.ts';
import { typedLines } from '#domain/typed-text.ts';

/** A damage claim of an order, as GET /api/admin/orders/:id/claims shows it. Its files are read with the admin's session. */
export const adminClaimSchema = z.object({
  id: z.int(),
  createdAt: z.string(),
  message: z.string(),
  /** Reported after the time that the policy gives. */
  late: z.boolean(),
  answer: z.nullable(z.enum(['refund', 'replacement', 'declined'])),
  answeredAt: z.nullable(z.string()),
  reason: z.string(),
  amountPaise: z.nullable(z.int()),
  /** The free order of a replacement. */
  replacementId: z.nullable(z.int()),
  photos: z.array(z.string()),
  /** The parts of the video, in order; they are one file together. */
  videoParts: z.array(z.string()),
});
export type AdminClaim = z.infer<typeof adminClaimSchema>;

const adminClaimsSchema = z.object({ claims: z.array(adminClaimSchema) });

const base = {
  claimId: z.int(),
  /** Created once per press of the button: the same key is one answer. */
  key: z.uuid(),
};
const reasonOf = (minimum: number) =>
  z
    .string()
    .check(
      typedLines(),
      z.minLength(minimum, 'Say why; the customer reads it.'),
      z.maxLength(200, 'Please use at most 200 characters.'),
    );

/** Body of POST /api/admin/orders/:id/claims. */
export const claimAnswerSchema = z.discriminatedUnion('answer', [
  z.object({
    ...base,
    answer: z.literal('refund'),
    reason: reasonOf(0),
    amountPaise: z.int('Amount must be in rupees').check(z.minimum(minRefundPaise, 'At least ₹1')),
    items: z._default(quantitiesSchema, []),
  }),
  z.object({
    ...base,
    answer: z.literal('replacement'),
    reason: reasonOf(0),
    items: quantitiesSchema.check(z.minLength(1, 'Choose what is replaced.')),
  }),
  z.object({ ...base, answer: z.literal('declined'), reason: reasonOf(1) }),
]);
export type ClaimAnswer = z.infer<typeof claimAnswerSchema>;

export const claimsApi = {
  list: reads('/api/admin/orders/:id/claims', adminClaimsSchema),
  /** Answers a claim: a refund, a replacement or a reason. Shows the order. */
  answer: changes('POST', '/api/admin/orders/:id/claims', claimAnswerSchema, orderAnswerSchema),
};
