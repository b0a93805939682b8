import * as z from 'zod';

/* What customers call the shop's products, in `src/shop/search.ts`. */

const words = z
  .string('give words with commas between them')
  .max(1_000, 'at most 1,000 letters: begin another line')
  .refine(
    (list) => list.split(',').every((word) => /[\p{L}\p{N}]/u.test(word)),
    'give words with commas between them, such as: jimikki, jhumka, ജിമിക്കി',
  );

const synonymsSchema = z.strictObject({
  /**
   * What customers type, with commas between: words or phrases of any language and script, in the singular. Each finds the products that
   * have any of them in name, category or material. Words of what the shop does not sell are worth a line, too: they are not corrected
   * to something else, and not found in descriptions, which compare.
   */
  words,
  /** Words or phrases of names, categories or materials that the words find besides, but that do not find each other. */
  finds: words.optional(),
  /** The only category that the words find, by its slug, where products of another one are named so: a hoop after a bangle. */
  within: z.string('give the slug of a category').optional(),
});

export const searchSchema = z.strictObject({
  synonyms: z.array(synonymsSchema),
  /** Words that say nothing about a product of this shop, such as 'for', 'latest' or 'size'. */
  ignored: words.optional(),
});
export type SearchSettings = z.infer<typeof searchSchema>;
