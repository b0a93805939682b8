import { revisionFromText, type CatalogueColumn, type FileRow } from './catalogue-csv.ts';
import type { CsvFault } from '../../../domain/admin/csv-table.ts';
import { keptImages, withCells } from './import-cells.ts';
import { sameField, sameForm } from '../../../domain/admin/products/same-form.ts';
import {
  emptyProductForm,
  formOfProduct,
  productFields,
  productLabels,
  readProductForm,
  stockFromText,
  sumOfSizes,
  type ProductForm,
} from '../../../domain/admin/products/product-form.ts';
import { describeField } from '../../../domain/admin/products/describe-field.ts';
import {
  revisionOf,
  type AdminProduct,
  type ExpectedRevision,
  type ProductInput,
} from '../../../domain/admin/products/product-input.ts';
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
}

/** The effect of an import; with faults, nothing is imported. */
export interface ImportPlan {
  added: PlannedProduct[];
  changed: PlannedProduct[];
  /** Rows without a difference to the catalogue. */
  same: number;
  faults: CsvFault[];
}

export interface PlanContext {
  /** The products that the file's ids and names belong to, deleted ones too. */
  stored: readonly AdminProduct[];
  /** The entry of an image file by its name; null when it was not chosen. */
  entryOf: (fileName: string) => string | null;
  /** The id for the new product of a row, stable across calls. */
  newId: (row: number) => string;
}

const cell = (row: FileRow, field: CatalogueColumn['field']): string | undefined =>
  [...row.cells].find(([column]) => column.field === field)?.[1].trim();

/** The text under a column's label, cut to 40 letters. */
function cellText(row: FileRow, label: string | null): string {
  const text = [...row.cells].find(([column]) => column.label === label)?.[1].trim() ?? '';
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Ids and names of a file, to ask for what is stored under them. */
export function idsAndNames(
  rows: readonly FileRow[],
  newId: PlanContext['newId'],
): { ids: string[]; names: string[] } {
  const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
  const ids = rows.map((row) => cell(row, 'id') || newId(row.row)).filter((id) => uuid.test(id));
  const names = rows.flatMap((row) => (cell(row, 'id') ? [] : [cell(row, 'name') ?? '']));
  return {
    ids: [...new Set(ids)],
    names: [...new Set(names)].filter((name) => name !== '' && !name.includes('\0')),
  };
}

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

/** As for stock: unchanged sizes of a file do not overwrite sales since the export. */
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

/** Compares the rows of a file with the stored products. Pure. */
export function planImport(
  rows: readonly FileRow[],
  { stored, entryOf, newId }: PlanContext,
): ImportPlan {
  const plan: ImportPlan = { added: [], changed: [], same: 0, faults: [] };
  const byId = new Map(stored.map((product) => [product.id, product]));
  const names = new Set(
    stored.filter(({ deletedAt }) => deletedAt === null).map(({ name }) => name.toLowerCase()),
  );
  const firstRows = new Map<string, number>();

  for (const row of rows) {
    const fault = (column: string | null, message: string) => {
      const found = cellText(row, column);
      plan.faults.push({ row: row.row, column, message, ...(found !== '' && { found }) });
    };
    const given = (cell(row, 'id') ?? '').toLowerCase();
    const id = given || newId(row.row);
    const before = byId.get(id);
    const first = firstRows.get(id);
    firstRows.set(id, first ?? row.row);
    if (first !== undefined) {
      fault('ID', `Row ${String(first)} has this ID already: a product can be in a file once`);
      continue;
    }
    if (given !== '' && before?.deletedAt !== null) {
      fault(
        'ID',
        before
          ? 'This product was deleted. Bring it back first (Show: Deleted), or leave its ID empty to add it anew'
          : 'No product has this ID. Leave it empty for a new product',
      );
      continue;
    }
    const start = before ? formOfProduct(before) : emptyProductForm;
    const { form, faults } = withCells(start, row, !before, entryOf);
    const revision = cell(row, 'revision') ?? '';
    const made = revisionFromText(revision);
    if (before && revision !== '' && !made)
      faults.set('Revision', 'Leave this as it was exported, or empty');
    const typedStock = stockFromText(form.stock);
    if (form.sizes.length > 0) checkSizes(form, before, made, faults);
    else if (before && made && Number.isInteger(typedStock) && typedStock !== before.stock) {
      // Unchanged stock of a file does not overwrite sales since the export.
      if (typedStock === made.stock) form.stock = start.stock;
      else if (made.stock !== before.stock)
        faults.set(
          'Stock',
          `It was ${String(made.stock)} when the file was made and is ${String(before.stock)} now. Please write the stock that there is`,
        );
    }
    for (const [column, message] of faults) fault(column, message);
    if (before && faults.size === 0 && sameForm(start, { ...form, ...keptImages(form) })) {
      plan.same += 1;
      continue;
    }
    const reading = readProductForm(form);
    if (!reading.ok) {
      for (const [field, message] of Object.entries(reading.errors)) {
        const column = labelOf(field, row, form);
        if (!faults.has(column)) fault(column, message);
      }
      continue;
    }
    if (faults.size > 0) continue;
    const { product } = reading;
    if (!before) {
      const name = product.name.toLowerCase();
      plan.added.push({
        row: row.row,
        id,
        product,
        seen: null,
        changes: [],
        namesake: names.has(name),
      });
      names.add(name);
      continue;
    }
    const after = formOfProduct(product);
    const changes = productFields
      .filter((field) => !sameField(start, after, field))
      .map((field) => ({
        label: productLabels[field],
        before: describeField(start, field),
        after: describeField(after, field),
      }));
    if (changes.length === 0) plan.same += 1;
    else if (made && made.updatedAt !== before.updatedAt) fault(null, conflictWords);
    else
      plan.changed.push({
        row: row.row,
        id,
        product,
        seen: revisionOf(before),
        changes,
        namesake: false,
      });
  }
  return plan;
}
