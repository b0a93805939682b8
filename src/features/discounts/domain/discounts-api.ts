import * as z from 'zod/mini';
import { changes, reads } from '#domain/admin/endpoint.ts';
import { endsTodayOrLater, periodChecks, periodShape } from '#domain/period.ts';
import { discountCodeSchema } from '#domain/checkout/discount-refusal.ts';
import { typedLine } from '#domain/typed-text.ts';

const count = z.nullable(
  z
    .int('Give a whole number')
    .check(z.minimum(1, 'At least once'), z.maximum(1_000_000, 'At most 1,000,000 times')),
);
const code = z.pipe(
  z.string('Write a code').check(typedLine(), z.minLength(1, 'Write a code')),
  discountCodeSchema,
);

/** A new discount code as the admin's form sends it. Amounts in paise. */
export const discountInputSchema = z
  .object({
    code,
    percent: z.nullable(
      z
        .int('Give a whole number of percent')
        .check(z.minimum(1, 'At least 1 %'), z.maximum(90, 'At most 90 %')),
    ),
    amount_paise: z.nullable(
      z
        .int('Write an amount in rupees, such as 250')
        .check(z.minimum(100, 'At least ₹1'), z.maximum(100_000_000, 'At most ₹10,00,000')),
    ),
    /** The minimum subtotal of the cart, 0 for any. */
    min_paise: z
      .int('Write an amount in rupees, such as 1500')
      .check(z.minimum(0), z.maximum(100_000_000, 'At most ₹10,00,000')),
    ...periodShape,
    /** The maximum uses in all and per customer; null for unlimited. */
    max_uses: count,
    max_per_customer: count,
    /** The cart shows it to everybody. */
    shown_in_cart: z.boolean(),
  })
  .check(
    z.refine(({ percent, amount_paise: amount }) => (percent === null) !== (amount === null), {
      path: ['percent'],
      message: 'Give percent or an amount',
    }),
    z.refine(
      ({ amount_paise: amount, min_paise: minPaise }) =>
        amount === null || minPaise >= amount + 100,
      {
        path: ['min_paise'],
        message: 'The cart must come to at least ₹1 more than the discount',
      },
    ),
    ...periodChecks(1_096, 'A code lasts three years at most'),
  );

const stopDiscountSchema = z.object({ code, stopped: z.boolean() });

/** A code with its uses: orders that are paid, and open ones that may still be. */
export const listedDiscountSchema = z.object({
  ...discountInputSchema.shape,
  code: z.string(),
  stopped: z.boolean(),
  paid: z.int(),
  open: z.int(),
  /** The total discount on paid orders. */
  given_paise: z.int(),
});
export type ListedDiscount = z.infer<typeof listedDiscountSchema>;

const answerSchema = z.object({ discounts: z.array(listedDiscountSchema) });

/** Each answers with all codes, newest first. */
export const discountsApi = {
  list: reads('/api/admin/discount', answerSchema),
  /** 409 'taken' for a name that exists. */
  create: changes(
    'POST',
    '/api/admin/discount',
    discountInputSchema.check(endsTodayOrLater),
    answerSchema,
  ),
  /** Stops a code, or resumes it. */
  stop: changes('PUT', '/api/admin/discount', stopDiscountSchema, answerSchema),
};
