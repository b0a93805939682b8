import * as z from 'zod/mini';
import { cashRefusals } from '#domain/sums/payment-way.ts';
import { shownWord } from '#domain/sql-word.ts';

/** The body of POST /api/cash-on-delivery. `total` in paise, the charge for cash included. */
export const cashOfferRequestSchema = z.object({
  products: z.array(z.guid('Not a product id')).check(z.minLength(1), z.maxLength(50)),
  phone: z.string().check(z.maxLength(20)),
  postalCode: z.string().check(z.maxLength(10)),
  total: z.int().check(z.minimum(1)),
});
export type CashOfferRequest = z.infer<typeof cashOfferRequestSchema>;

/** Its answer: null when the cart can be paid at the door, else why it cannot, and the sentence for the customer. */
export const cashOfferSchema = z.object({
  refusal: z.nullable(z.object({ reason: shownWord(cashRefusals), message: z.string() })),
});
export type CashOffer = z.infer<typeof cashOfferSchema>;
