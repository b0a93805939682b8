import * as z from 'zod/mini';
import { imageAddress, sizedImage } from '#domain/image.ts';
import { formatRupees, splitRupees } from '#domain/money.ts';
import { feeOf } from '#domain/sums/platform-fee.ts';
import { materialLine } from '#domain/catalogue/material-line.ts';
import { offeredFromRow, productColumns } from '#domain/catalogue/product-row.ts';
import { categoryLabel } from '#domain/catalogue/category.ts';
import { chargedPrice, stockLevel, type Product } from '#domain/catalogue/product.ts';
import { database, readRows } from '#core/platform/database.ts';
import { databaseEnv } from '#core/platform/env.ts';
import { maxSizes } from '#domain/catalogue/sizes.ts';
import { escapeHtml } from '#core/platform/http/html.ts';

/** The product with this id when the shop shows it, or null. Throws HttpError 503 when the database cannot be reached. */
export async function findProduct(id: string): Promise<Product | null> {
  const query = database()
    .from('products')
    .select(productColumns)
    .match({ id, hidden: false })
    .is('deleted_at', null)
    .limit(1);
  const [row] = await readRows('product', query, z.array(z.unknown()));
  return row === undefined ? null : offeredFromRow(row);
}

/** The placeholders of the template and their values; the contract is written in functions/product.ts. */
function tokensOf(product: Product, pageAddress: string): Readonly<Record<string, string>> {
  const image = imageAddress(product.images[0], databaseEnv().SUPABASE_URL);
  const now = splitRupees(chargedPrice(product));
  return {
    ID: product.id,
    NAME: product.name,
    NAME_ENCODED: encodeURIComponent(product.name.toWellFormed()),
    DESCRIPTION: product.description,
    MATERIAL: materialLine(product.attributes),
    CATEGORY: product.category,
    CATEGORY_LABEL: categoryLabel(product.category),
    PRICE: now.rupees,
    PRICE_DECIMALS: now.decimals,
    FULL_PRICE: product.offerPrice === null ? '' : formatRupees(product.price),
    FEE: feeOf(chargedPrice(product)),
    STOCK: String(product.stock),
    SIZE_TEXT: product.attributes.size ?? '',
    STOCK_LEVEL: stockLevel(product.stock),
    ...Object.fromEntries(
      Array.from({ length: maxSizes }, (_, index) => [
        `SIZE_${String(index + 1)}`,
        product.sizes[index]?.size ?? '',
      ]),
    ),
    ...Object.fromEntries(
      Array.from({ length: maxSizes }, (_, index) => [
        `SIZE_${String(index + 1)}_STOCK`,
        String(product.sizes[index]?.stock ?? ''),
      ]),
    ),
    IMAGE: image,
    IMAGE_COUNT: String(product.images.length),
    IMAGE_LARGE: sizedImage(image, 840, 'webp'),
    IMAGE_ALT: [product.imageAlts[0]?.trim()].find(Boolean) ?? product.name,
    JSON: JSON.stringify(product),
    URL: pageAddress,
    URL_ENCODED: encodeURIComponent(pageAddress),
  };
}

/** The template with a product in it. One pass: text that looks like a token inside a product stays text. */
export function fillTemplate(template: string, product: Product, pageAddress: string): string {
  const tokens = tokensOf(product, pageAddress);
  return template.replaceAll(/__PRODUCT_([A-Z_\d]+?)__/gu, (token, name: string) =>
    Object.hasOwn(tokens, name) ? escapeHtml(tokens[name] ?? '') : token,
  );
}
