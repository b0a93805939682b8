import * as z from 'zod/mini';
import { shop } from '#settings/shop.ts';
import { hsnExists, hsnForm } from '#shop-schema/hsn.ts';
import { forEachAttribute, type Attributes } from '#domain/catalogue/attributes.ts';
import { categories } from '#domain/catalogue/category.ts';
import { maxSizeLength, maxSizes } from '#domain/catalogue/sizes.ts';
import { typedLine, typedLines } from '#domain/typed-text.ts';

const text = (maxLength: number, label: string, typed = typedLine) =>
  z
    .string(`${label} must be text`)
    .check(
      typed(),
      z.maxLength(maxLength, `${label} must be at most ${String(maxLength)} characters`),
    );

const amount = (label: string) =>
  z
    .int(`${label} must be an amount in rupees`)
    .check(
      z.minimum(1, `${label} must be more than ₹0`),
      z.maximum(shop.limits.maxAmountPaise, `${label} must be at most ₹10,00,000`),
    );

const stock = z
  .int('Stock must be a whole number')
  .check(
    z.minimum(0, 'Stock cannot be below 0'),
    z.maximum(100_000, 'Stock must be at most 1,00,000'),
  );

const sizes = z
  .array(
    z.object({
      size: text(maxSizeLength, 'A size').check(
        z.minLength(1, 'A size needs a name'),
        z.regex(/^[^;]*$/u, 'A size has no semicolon'),
      ),
      stock,
    }),
  )
  .check(
    z.maxLength(maxSizes, `${String(maxSizes)} sizes at most`),
    z.refine(
      (list) => new Set(list.map(({ size }) => size.toLowerCase())).size === list.length,
      'A size is listed twice',
    ),
    z.refine(
      (list) => list.reduce((sum, one) => sum + one.stock, 0) <= 100_000,
      'Stock must be at most 1,00,000 in all',
    ),
  );

/** A product that has another text in it, from before this check, can be read, and is saved when it is corrected. */
const hsn = text(200, 'HSN code').check(
  // Tariffs print "7117 19 90" and "7117.19.90".
  z.overwrite((code) => code.replaceAll(/[\s.]/gu, '')),
  z.refine(
    (code) => code === '' || (hsnForm.test(code) && hsnExists(code)),
    'There is no such HSN code. Give its 4, 6 or 8 digits, such as 7117.',
  ),
);

/** One of the texts, in small or capital letters. */
const choice = (label: string, choices: readonly string[]) =>
  text(200, label).check(
    z.overwrite(
      (typed) => choices.find((one) => one.toLowerCase() === typed.toLowerCase()) ?? typed,
    ),
    z.refine(
      (typed) => typed === '' || choices.includes(typed),
      `${label} must be ${choices.join(' or ')}`,
    ),
  );

const attributes = z.strictObject(
  forEachAttribute((key, { label, term, unit, choices }) => {
    if (key === 'hsn') return z.optional(hsn);
    const name = term ?? label;
    if (choices !== undefined) return z.optional(choice(name, choices));
    return z.optional(
      unit === undefined
        ? text(200, name)
        : z
            .number(`${name} must be a number`)
            .check(
              z.positive(`${name} must be more than 0`),
              z.maximum(10_000, `${name} must be at most 10,000 ${unit}`),
            ),
    );
  }),
  'There is an unknown detail',
) as z.ZodMiniType<Attributes>;

/**
 * A product as the admin saves it: money in paise, images as paths in the bucket or absolute addresses. The limits
 * are those of the table `products`.
 */
export const productInputSchema = z
  .object({
    name: text(200, 'Name').check(z.minLength(1, 'Name is required')),
    description: text(5_000, 'Description', typedLines),
    category: z.enum(categories, 'Category is required'),
    price: amount('Price'),
    offerPrice: z.nullable(amount('Offer price')),
    /** Ignored for a product with sizes, whose stock is their sum. */
    stock,
    /** Empty for a product without. Not given: the product keeps those that it has. */
    sizes: z.optional(sizes),
    /** Not in the shop: a draft, or taken out for a while. */
    hidden: z.boolean('Hidden must be yes or no'),
    images: z
      .array(
        z
          .string()
          .check(
            z.maxLength(2_000, 'This picture’s address is too long'),
            z.regex(
              /^(?:https:\/\/\S+|products\/[\w.-]+)$/u,
              'A picture is an upload or an address that begins with https://',
            ),
          ),
      )
      .check(z.maxLength(shop.limits.imagesPerProduct, 'Three pictures at most')),
    imageAlts: z
      .array(text(200, 'The picture’s description'))
      .check(z.maxLength(shop.limits.imagesPerProduct, 'Three pictures at most')),
    attributes,
  })
  .check(
    z.refine(({ price, offerPrice }) => offerPrice === null || offerPrice < price, {
      message: 'The offer must be below the price',
      path: ['offerPrice'],
    }),
  );
export type ProductInput = z.infer<typeof productInputSchema>;

/** The revision that the admin's form was opened on: an edit is refused (409) when the row has changed since. */
export const expectedRevisionSchema = z.object({
  /** `updatedAt` of the product as read; stock alone does not move it. */
  updatedAt: z.string().check(z.minLength(1)),
  stock: z.int(),
  sizes: z._default(z.array(z.object({ size: z.string(), stock: z.int() })), []),
});
export type ExpectedRevision = z.infer<typeof expectedRevisionSchema>;

/** The revision of a product that was read. */
export const revisionOf = ({
  updatedAt,
  stock: units,
  sizes: list,
}: AdminProduct): ExpectedRevision => ({ updatedAt, stock: units, sizes: list });

/** A product as the admin endpoints return it. Money in paise. */
export const adminProductSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** The shop may have it no more: see `isOffered`. */
  category: z.string(),
  price: z.int(),
  offerPrice: z.nullable(z.int()),
  stock: z.int(),
  sizes: z._default(z.array(z.object({ size: z.string(), stock: z.int() })), []),
  hidden: z.boolean(),
  /** When it was deleted, ISO 8601; it can be brought back for `deletedDays`. */
  deletedAt: z.nullable(z.string()),
  images: z.array(z.string()),
  imageAlts: z.array(z.string()),
  attributes: z.record(z.string(), z.union([z.string(), z.number()])),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Has a change that is not yet in the built pages. */
  unpublished: z.boolean(),
});
export type AdminProduct = z.infer<typeof adminProductSchema>;

/** The products that the admin chose for the front page, in order. */
export const featuredSchema = z.object({
  featured: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      hidden: z.boolean(),
      image: z.nullable(z.string()),
    }),
  ),
});
export type FeaturedProduct = z.infer<typeof featuredSchema>['featured'][number];

/** Another choice, and the one that it was made on: ids in their order. */
export const featuringSchema = z.object({
  ids: z.array(z.uuid()).check(z.maxLength(shop.limits.featured, 'The home page is full')),
  seen: z.array(z.uuid()).check(z.maxLength(100)),
});

/** How long a deleted product can be brought back, as `end_deleted_products` has it. */
export const deletedDays = 30;

export const productSorts = ['newest', 'name', 'price', 'stock'] as const;

/** Which products are listed: 'all' are all but the deleted ones, 'visible' those in the shop. */
export const productShows = ['all', 'visible', 'hidden', 'deleted'] as const;

/** One page of the product list; `total` counts what matches. */
export const adminProductsSchema = z.object({
  products: z.array(adminProductSchema),
  total: z.int(),
});
