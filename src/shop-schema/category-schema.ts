import * as z from 'zod';
import { text, whole } from './fields.ts';

/* `src/shop/categories.ts`. */

export const categorySchema = z.strictObject({
  /** Its name in addresses (/shop/toe-rings) and tables. Products keep it, so it never changes. */
  slug: z
    .string('give a name for addresses')
    .regex(
      /^(?!all$|page$)[a-z0-9]+(?:-[a-z0-9]+)*$/u,
      "give small letters, joined by '-': toe-rings ('all' and 'page' are taken)",
    )
    .max(30, 'at most 30 letters'),
  /** 'Toe rings', as shown to customers. */
  label: text('what customers read', 32),
  /** One of them: 'toe ring'. */
  one: text('what one of them is called', 32),
  /** The part of the body on which a product's measures are drawn to scale. */
  wornOn: z.enum(
    ['finger', 'toe', 'neck', 'wrist', 'watch', 'ear', 'ankle'],
    "give 'finger', 'toe', 'neck', 'wrist', 'watch', 'ear' or 'ankle'",
  ),
  /**
   * The part of the size guide that measures its products: 'rings', 'bangles' or 'none'. Products that have one say their size: the form
   * and the import ask for it. Left out, it is 'rings' for a finger or a toe, 'bangles' for a wrist, and 'none' elsewhere.
   */
  sizeGuide: z.enum(['rings', 'bangles', 'none'], "give 'rings', 'bangles' or 'none'").optional(),
  /**
   * Its number in Google's list (google.com/basepages/producttype/taxonomy-with-ids.en-US.txt), for the feeds of Google and Meta. Give it
   * where `wornOn` would tell the wrong one: 192 for brooches, 188 for jewellery of any kind.
   */
  googleCategory: whole("the category's number in Google's list", 1, 999_999).optional(),
});

export const categoriesSchema = z
  .array(categorySchema)
  .min(1, 'give at least one category')
  .max(10, 'give at most ten categories');
