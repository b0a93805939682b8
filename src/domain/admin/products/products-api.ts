import * as z from 'zod/mini';
import { changes, reads } from '#domain/admin/endpoint.ts';
import { emptySchema } from '#domain/admin/plain-schemas.ts';
import {
  adminProductSchema,
  adminProductsSchema,
  expectedRevisionSchema,
  featuredSchema,
  featuringSchema,
  productInputSchema,
} from './product-input.ts';

export const productIdSchema = z
  .string()
  .check(
    z.regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu, 'Not a product id'),
    z.toLowerCase(),
  );
const answerSchema = z.object({ product: adminProductSchema });
const product = '/api/admin/products/:id';

export const productsApi = {
  /** Takes the query `q`, `category`, `stock`, `show`, `sort`, `offset` and `limit`. */
  list: reads('/api/admin/products', adminProductsSchema),
  /** Adds a product under an id of the page's own: twice is once. */
  add: changes(
    'POST',
    '/api/admin/products',
    z.object({ id: productIdSchema, product: productInputSchema }),
    answerSchema,
  ),
  /** Saves an edit of the revision that was `seen`. */
  save: changes(
    'PUT',
    product,
    z.object({ product: productInputSchema, seen: expectedRevisionSchema }),
    answerSchema,
    z.object({ current: adminProductSchema }),
  ),
  remove: changes('DELETE', product, emptySchema, z.object({ deleted: z.boolean() })),
  /** Brings a deleted product back. 404 when it is gone for good. */
  restore: changes('POST', `${product}/restore`, emptySchema, answerSchema),
};

export const featuredApi = {
  /** The products of the front page, in their order. */
  read: reads('/api/admin/featured', featuredSchema),
  save: changes('PUT', '/api/admin/featured', featuringSchema, featuredSchema, featuredSchema),
};

/** The limits of a request about several products: how many, and the bytes of its body. The platform takes up to six megabytes. @public */
export const productsAtOnce = { count: 2_000, bytes: 5 * 1024 * 1024 } as const;

/** Why more than `count` products are refused. @public */
export const tooManyWords = (count: number): string =>
  `At most ${count.toLocaleString('en-IN')} products can be changed at once. Nothing was changed: choose fewer, then the others.`;

/** The limit of an array of products, or of their ids. @public */
export const tooManyProducts = z.maxLength(
  productsAtOnce.count,
  tooManyWords(productsAtOnce.count),
);

/** Changes of several products: all or none. */
export const severalProductsApi = {
  save: changes(
    'POST',
    '/api/admin/catalogue/save',
    z.object({
      rows: z
        .array(
          z.object({
            id: productIdSchema,
            product: productInputSchema,
            /** The revision that the product was changed from; null for a new one. */
            seen: z.nullable(expectedRevisionSchema),
          }),
        )
        .check(
          z.minLength(1, 'There is nothing to save'),
          tooManyProducts,
          z.refine(
            (rows) => new Set(rows.map(({ id }) => id)).size === rows.length,
            'A product is listed twice',
          ),
        ),
    }),
    z.object({ saved: z.int() }),
    z.object({
      refused: z.array(
        z.object({ name: z.string(), why: z.enum(['changed', 'deleted', 'stock']) }),
      ),
    }),
  ),
};
