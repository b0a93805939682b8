import * as z from 'zod/mini';
import { periodChecks, periodShape } from '../period.ts';
import { typedLine } from '../typed-text.ts';

/** The admin's notice as the form sends it and the database stores it. */
export const noticeInputSchema = z
  .object({
    message: z
      .string()
      .check(
        typedLine(),
        z.minLength(1, 'Write the text that customers will see'),
        z.maxLength(160, 'A notice has at most 160 characters'),
      ),
    ...periodShape,
    closes_checkout: z.boolean('Choose what happens until the last day'),
    /** Business days that a parcel takes longer; 0 when checkout is closed. */
    extra_days: z
      .int('Give the days as a whole number')
      .check(z.minimum(0), z.maximum(60, 'At most 60 days longer')),
  })
  .check(
    ...periodChecks(366, 'A notice lasts a year at most'),
    z.refine(({ closes_checkout: closes, extra_days: days }) => closes || days > 0, {
      path: ['extra_days'],
      message: 'At least one day longer',
    }),
    z.refine(({ closes_checkout: closes, extra_days: days }) => !closes || days === 0, {
      path: ['extra_days'],
      message: 'A closed checkout has no additional days',
    }),
  );
export type NoticeInput = z.infer<typeof noticeInputSchema>;
