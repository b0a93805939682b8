import * as z from 'zod/mini';
import { changes, reads } from '#domain/admin/endpoint.ts';
import { emptySchema } from '#domain/admin/plain-schemas.ts';
import { endsTodayOrLater, periodChecks, periodShape } from '#domain/period.ts';
import { occasionProducts } from './occasion.ts';
import { typedLine } from '#domain/typed-text.ts';

const text = (max: number, name: string, missing: string) =>
  z
    .string()
    .check(
      typedLine(),
      z.minLength(1, missing),
      z.maxLength(max, `${name} has at most ${String(max)} characters`),
    );
const { min, max } = occasionProducts;

/** The occasion as the form sends it and `save_occasion` takes it. */
export const occasionInputSchema = z
  .object({
    heading: text(60, 'A heading', 'Write a heading'),
    sentence: text(160, 'The sentence', 'Write a sentence'),
    ...periodShape,
    products: z.array(z.uuid()).check(
      z.minLength(min, `Choose at least ${String(min)} products`),
      z.maxLength(max, `Choose at most ${String(max)} products`),
      z.refine((ids) => new Set(ids).size === ids.length, 'A product is listed twice'),
    ),
  })
  .check(...periodChecks(366, 'An occasion lasts a year at most'));
export type OccasionInput = z.infer<typeof occasionInputSchema>;

/** The occasion as the admin sees it, until it is over; null for none. */
export const adminOccasionSchema = z.nullable(
  z.object({
    heading: z.string(),
    sentence: z.string(),
    first_day: z.string(),
    last_day: z.string(),
    products: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        hidden: z.boolean(),
        image: z.nullable(z.string()),
        stock: z.int(),
      }),
    ),
  }),
);
export type AdminOccasion = z.infer<typeof adminOccasionSchema>;
export type OccasionProduct = NonNullable<AdminOccasion>['products'][number];

const answerSchema = z.object({ occasion: adminOccasionSchema });

export const occasionApi = {
  /** The occasion while it is not over; null for none. */
  read: reads('/api/admin/occasion', answerSchema),
  save: changes(
    'PUT',
    '/api/admin/occasion',
    occasionInputSchema.check(endsTodayOrLater),
    answerSchema,
  ),
  remove: changes('DELETE', '/api/admin/occasion', emptySchema, answerSchema),
};
