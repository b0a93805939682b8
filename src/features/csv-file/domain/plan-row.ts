import { revisionFromText, type CatalogueColumn, type FileRow } from './catalogue-csv.ts';
import { keptImages, withCells, type EntryOf } from './import-cells.ts';
import { sameField, sameForm } from '#domain/admin/products/same-form.ts';
import {
  emptyProductForm,
  formOfProduct,
  productFields,
  productLabels,
  readProductForm,
  sizeErrors,
  stockFromText,
  sumOfSizes,
  type ProductForm,
} from '#domain/admin/products/product-form.ts';
import { describeField } from '#domain/admin/products/describe-field.ts';
import {
  revisionOf,
  type AdminProduct,
  type ExpectedRevision,
  type ProductInput,
} from '#domain/admin/products/product-input.ts';
import { sizesText } from './sizes-text.ts';

/** The effect of a row of the file. */
export interface PlannedProduct {
  row: number;
  id: string;
  product: ProductInput;
  /** The revision that the row was compared with; null for a new product. */
  seen: ExpectedRevision | null;
  changes: { label: string; before: string; after: string }[];
  /** A new product with the name of another one. */
  namesake: boolean;
  /** Its paths in the shop that it comes from. */
  oldAddresses: readonly string[];
}

/** The text of a field's first column in a row, undefined when the file has none. */
export const cell = (row: FileRow, field: CatalogueColumn['field']): string | undefined =>
  [...row.cells].find(([column]) => column.field === field)?.[1].trim();

/** The column that an error of the form is about. */
function labelOf(field: string, row: FileRow, form: ProductForm): string {
  if (field !== 'images' && field !== 'imageAlts') return productLabels[field as keyof ProductForm];
  const bad =
    field === 'images'
      ? form.images.findIndex(
          (entry) => entry !== '' && !/^(?:https?:\/\/\S+|products\/[\w.-]+)$/u.test(entry),
        )
      : form.imageAlts.findIndex((alt) => alt.trim().length > 200);
  return (
    [...row.cells.keys()].find((known) => known.field === field && known.place === Math.max(bad, 0))
      ?.label ?? productLabels[field]
  );
}

/** Sizes are compared as stock is: unchanged ones of a file do not overwrite sales since the export. */
function checkSizes(
  form: ProductForm,
  before: AdminProduct | undefined,
  made: ExpectedRevision | null,
  faults: Map<string, string>,
): void {
  const typed = sizesText(form.sizes);
  if (before && made && typed !== sizesText(before.sizes)) {
    if (typed === sizesText(made.sizes)) form.sizes = formOfProduct(before).sizes;
    else if (sizesText(made.sizes) !== sizesText(before.sizes)) {
      faults.set(
        productLabels.sizes,
        `They were ${sizesText(made.sizes) || 'none'} when the file was made and are ${sizesText(before.sizes) || 'none'} now. Please write the stock that there is`,
      );
    }
  }
  const sums = [sumOfSizes(form.sizes), before?.stock, made?.stock];
  if (form.stock.trim() !== '' && !sums.includes(stockFromText(form.stock)))
    faults.set(productLabels.stock, 'This product has sizes: write the stock of each under Sizes');
}

const conflictWords =
  'This product was changed in the shop after the file was made. Please export it again, and change it there.';

/** Unchanged stock of a file does not overwrite sales since the export. */
function checkStock(
  form: ProductForm,
  before: AdminProduct,
  made: ExpectedRevision,
  faults: Map<string, string>,
): void {
  const typed = stockFromText(form.stock);
  if (!Number.isInteger(typed) || typed === before.stock) return;
  if (typed === made.stock) form.stock = String(before.stock);
  else if (made.stock !== before.stock)
    faults.set(
      productLabels.stock,
      `It was ${String(made.stock)} when the file was made and is ${String(before.stock)} now. Please write the stock that there is`,
    );
}

/** What one row does: it adds or changes a product, leaves it as it is, or has faults by column. */
export type RowEffect =
  | { kind: 'product'; planned: PlannedProduct }
  | { kind: 'same' }
  | { kind: 'faults'; faults: readonly (readonly [string | null, string])[] };

export const faulty = (...faults: (readonly [string | null, string])[]): RowEffect => ({
  kind: 'faults',
  faults,
});

/** Compares one row with the product of its ID, when there is one. */
export function planRow(
  row: FileRow,
  id: string,
  before: AdminProduct | undefined,
  entryOf: EntryOf,
): RowEffect {
  const start = before ? formOfProduct(before) : emptyProductForm;
  const { form, faults } = withCells(start, row, !before, entryOf);
  for (const [column, message] of row.faults) faults.set(column, message);
  const revision = cell(row, 'revision') ?? '';
  const made = revisionFromText(revision);
  if (before && revision !== '' && !made)
    faults.set('Revision', 'Leave this as it was exported, or empty');
  if (form.sizes.length > 0) checkSizes(form, before, made, faults);
  else if (before && made) checkStock(form, before, made, faults);
  if (before && faults.size === 0 && sameForm(start, { ...form, ...keptImages(form) }))
    return { kind: 'same' };
  const reading = readProductForm(form);
  // One that the file brings into the shop; of new ones the admin was asked.
  const unsized = before?.hidden === true ? sizeErrors(form) : {};
  if (!reading.ok || unsized.size !== undefined) {
    const errors = { ...unsized, ...(!reading.ok && reading.errors) };
    for (const [field, message] of Object.entries(errors)) {
      const column = labelOf(field, row, form);
      if (!faults.has(column)) faults.set(column, message);
    }
    return faulty(...faults);
  }
  if (faults.size > 0) return faulty(...faults);
  const { product } = reading;
  const planned = { row: row.row, id, product, oldAddresses: row.oldAddresses };
  if (!before)
    return { kind: 'product', planned: { ...planned, seen: null, changes: [], namesake: false } };
  const after = formOfProduct(product);
  const changes = productFields
    .filter((field) => !sameField(start, after, field))
    .map((field) => ({
      label: productLabels[field],
      before: describeField(start, field),
      after: describeField(after, field),
    }));
  if (changes.length === 0) return { kind: 'same' };
  if (made && made.updatedAt !== before.updatedAt) return faulty([null, conflictWords]);
  return {
    kind: 'product',
    planned: { ...planned, seen: revisionOf(before), changes, namesake: false },
  };
}
