import * as z from 'zod/mini';
import {
  productInputSchema,
  productShows,
  productSorts,
  expectedRevisionSchema,
  type ProductInput,
  type ExpectedRevision,
} from '#domain/admin/products/product-input.ts';
import { productIdSchema } from '#domain/admin/products/products-api.ts';
import { categories } from '#domain/catalogue/category.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { parseOrRefuse, readJson } from '#core/platform/http/request-body.ts';
import { noProduct, type ProductQuery } from './products.ts';

/** Throws 404 for a text that is not a valid id. */
export function productId(text: string | undefined): string {
  const id = productIdSchema.safeParse(text);
  if (!id.success) throw noProduct();
  return id.data;
}

const count = (fallback: number, min: number, max: number) =>
  z._default(
    z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,7}$/u)), z.transform(Number)),
      z.int().check(z.minimum(min), z.maximum(max)),
    ),
    fallback,
  );

const querySchema = z.object({
  q: z._default(z.string().check(z.maxLength(200, 'Search for fewer words')), ''),
  category: z.optional(z.enum(categories)),
  stock: z._default(z.enum(['all', 'low', 'out']), 'all'),
  show: z._default(z.enum(productShows), 'all'),
  sort: z._default(z.enum(productSorts), 'newest'),
  offset: count(0, 0, 1_000_000),
  limit: count(50, 1, 100),
});

/** Parses the query of a list. An empty value counts as none. Throws 400. */
export function readProductQuery({ searchParams }: URL): ProductQuery {
  const given = Object.fromEntries([...searchParams].filter(([, value]) => value !== ''));
  const { q: search, category, ...rest } = parseOrRefuse(querySchema, given);
  return { search, category: category ?? null, ...rest };
}

const newSchema = z.object({ id: productIdSchema, product: z.unknown() });
const editSchema = z.object({ product: z.unknown(), seen: expectedRevisionSchema });

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d(?::?\d\d)?)$/u;

/** A new product and its id. Throws 400; `fields` names the product's own fields. */
export async function readNewProduct(
  request: Request,
): Promise<{ id: string; product: ProductInput }> {
  const { id, product } = await readJson(request, newSchema);
  return { id, product: parseOrRefuse(productInputSchema, product) };
}

/** Throws 400 for an invalid revision. */
export function requireRevision({ updatedAt }: ExpectedRevision): void {
  if (timestamp.test(updatedAt) && !Number.isNaN(Date.parse(updatedAt))) return;
  throw new HttpError(
    400,
    'invalid_request',
    'Please open this product again: its last change is not known.',
    { fields: { seen: 'Not a time' } },
  );
}

/** An edit and the revision that its form was opened on. Throws 400 like `readNewProduct`. */
export async function readEdit(
  request: Request,
): Promise<{ product: ProductInput; expectedRevision: ExpectedRevision }> {
  const { product, seen: expectedRevision } = await readJson(request, editSchema);
  requireRevision(expectedRevision);
  return { product: parseOrRefuse(productInputSchema, product), expectedRevision };
}
