import { paiseFromText } from '#domain/admin/typed-rupees.ts';
import { productLabels } from '#domain/admin/products/product-form.ts';
import type { TableFile } from '#domain/admin/table-file.ts';
import { sourceOf } from './read-products.ts';
import { headingOf, priceQuestionOf, type Mapping } from './sources/guess-columns.ts';
import type { SourceProduct } from './sources/source.ts';

/** A product, by its row while no column is its name, with its prices as the file has them, in hundredths of its currency. */
export interface PricedSample {
  name: string;
  price: number;
  /** The price that is charged in place of the full one; null without an offer. */
  offer: number | null;
}

/** What the admin confirms about the prices of a list before anything of it is compared. */
export interface PriceCheck {
  price: string | undefined;
  offer: string | undefined;
  /** The columns that may be a price, the most likely ones first; then the others. */
  columns: readonly string[];
  /** Columns that could each be the price. */
  several: readonly string[];
  /** Two products. */
  samples: readonly PricedSample[];
  /** Products that would be charged less than a third of their price, and the first of them. */
  low: { count: number; first: PricedSample } | null;
}

function sampleOf({ row, name, fields, key }: SourceProduct): PricedSample[] {
  const price = paiseFromText(fields.price ?? '');
  const text = (fields.offerPrice ?? '').trim();
  return key === null || price === null
    ? []
    : [
        {
          name: name.trim() === '' ? `Row ${String(row)}` : name,
          price,
          offer: text === '' ? null : paiseFromText(text),
        },
      ];
}

/**
 * The check of a list's prices; null for a file of a known shop, for one with the shop's own columns, and for one that changes products
 * without speaking of money.
 */
export function priceCheckOf(
  table: TableFile,
  mapping: Mapping,
  products: readonly SourceProduct[],
): PriceCheck | null {
  if (sourceOf(table) !== null) return null;
  const headings = table.headings.filter((heading) => heading !== '');
  const question = priceQuestionOf(headings);
  const [price, offer] = [productLabels.price, productLabels.offerPrice].map((field) =>
    headingOf(mapping, field),
  );
  const samples = products.flatMap(sampleOf);
  const cheap = samples.filter((one) => one.offer !== null && one.offer * 3 < one.price);
  const [first] = cheap;
  const isPriceless = price === undefined && headingOf(mapping, 'ID') === undefined;
  if (question === null && first === undefined && !isPriceless) return null;
  const columns = question?.columns ?? [];
  return {
    price,
    offer,
    columns: [...columns, ...headings.filter((heading) => !columns.includes(heading))],
    several: question?.several ?? [],
    samples: samples.slice(0, 2),
    low: first === undefined ? null : { count: cheap.length, first },
  };
}
