import { revisionFromText, type CatalogueColumn, type FileRow } from './catalogue-csv.ts';
import type { Category } from '../../../domain/catalogue/category.ts';
import type { TableFault } from '../../../domain/admin/table-file.ts';
import { keptImages, withCells, type EntryOf } from './import-cells.ts';
import { sameField, sameForm } from '../../../domain/admin/products/same-form.ts';
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
} from '../../../domain/admin/products/product-form.ts';
import { describeField } from '../../../domain/admin/products/describe-field.ts';
import {
  revisionOf,
  type AdminProduct,
  type ExpectedRevision,
  type ProductInput,
} from '../../../domain/admin/products/product-input.ts';
import { sizesText } from './sizes-text.ts';
import type { SourceProduct } from './sources/source.ts';

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

/** The effect of an import. Rows with faults are in `faults` alone. */
export interface ImportPlan {
  added: PlannedProduct[];
  changed: PlannedProduct[];
  /** Rows without a difference to the catalogue. */
  same: number;
  /** Products that an earlier import of such a file brought over. */
  importedBefore: Pick<PlannedProduct, 'id' | 'oldAddresses'>[];
  /** New products by category whose size the admin is asked for. */
  unsized: Map<Category, number>;
  /** Those among them for which there is no answer yet. */
  waiting: number;
  faults: TableFault[];
}

export interface PlanContext {
  /** The products that the file's ids and names belong to, deleted ones too. */
  stored: readonly AdminProduct[];
  entryOf: EntryOf;
  /** The id for a product without one, stable across calls. */
  newId: (product: Pick<SourceProduct, 'key' | 'row'>) => string;
}

const cell = (row: FileRow, field: CatalogueColumn['field']): string | undefined =>
  [...row.cells].find(([column]) => column.field === field)?.[1].trim();

/** The text under a column's label, cut to 40 letters. */
function cellText(row: FileRow, label: string | null): string {
  const text = [...row.cells].find(([column]) => column.label === label)?.[1].trim() ?? '';
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Ids and names of a file's products, to ask for what is stored under them. */
export function idsAndNames(
  products: readonly SourceProduct[],
  newId: PlanContext['newId'],
): { ids: string[]; names: string[] } {
  const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
  const given = ({ fields }: SourceProduct): string => (fields.id ?? '').trim();
  const ids = products.map((product) => given(product) || newId(product));
  const names = products.flatMap((product) => (given(product) === '' ? product.name.trim() : []));
  return {
    ids: [...new Set(ids.filter((id) => uuid.test(id)))],
    names: [...new Set(names)].filter(
      (name) => name !== '' && name.length <= 1_000 && !name.includes('\0'),
    ),
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
type RowEffect =
  | { kind: 'product'; planned: PlannedProduct }
  | { kind: 'same' }
  | { kind: 'faults'; faults: readonly (readonly [string | null, string])[] };

const faulty = (...faults: (readonly [string | null, string])[]): RowEffect => ({
  kind: 'faults',
  faults,
});

/** Compares one row with the product of its ID, when there is one. */
function planRow(
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

/** Compares the rows of a file with the stored products. Pure. */
export function planImport(
  rows: readonly FileRow[],
  { stored, entryOf, newId }: PlanContext,
): ImportPlan {
  const plan: ImportPlan = {
    added: [],
    changed: [],
    same: 0,
    importedBefore: [],
    unsized: new Map(),
    waiting: 0,
    faults: [],
  };
  const byId = new Map(stored.map((product) => [product.id, product]));
  const names = new Set(
    stored.filter(({ deletedAt }) => deletedAt === null).map(({ name }) => name.toLowerCase()),
  );
  const firstRows = new Map<string, number>();

  for (const row of rows) {
    const given = (cell(row, 'id') ?? '').toLowerCase();
    const id = given || newId(row);
    const before = byId.get(id);
    const first = firstRows.get(id);
    firstRows.set(id, first ?? row.row);
    let effect: RowEffect;
    if (first !== undefined)
      effect = faulty([
        given === '' ? null : 'ID',
        `Row ${String(first)} has this ${given === '' ? 'product' : 'ID'} already: a product can be in a file once`,
      ]);
    else if (given !== '' && before?.deletedAt !== null)
      effect = faulty([
        'ID',
        before
          ? 'This product was deleted. Bring it back first (Show: Deleted), or leave its ID empty to add it anew'
          : 'No product has this ID. Leave it empty for a new product',
      ]);
    // Brought over before, from the same file: since then the shop's own product is the one that counts.
    else if (row.key !== null && before) {
      plan.importedBefore.push({ id, oldAddresses: row.oldAddresses });
      continue;
    } else {
      if (row.unsized !== null) {
        plan.unsized.set(row.unsized, (plan.unsized.get(row.unsized) ?? 0) + 1);
        if (cell(row, 'size') === '') {
          plan.waiting += 1;
          continue;
        }
      }
      effect = planRow(row, id, before, entryOf);
    }
    if (effect.kind === 'same') plan.same += 1;
    else if (effect.kind === 'faults')
      for (const [column, message] of effect.faults) {
        const found = cellText(row, column);
        plan.faults.push({ row: row.row, column, message, ...(found !== '' && { found }) });
      }
    else if (effect.planned.seen) plan.changed.push(effect.planned);
    else {
      const name = effect.planned.product.name.toLowerCase();
      plan.added.push({ ...effect.planned, namesake: names.has(name) });
      names.add(name);
    }
  }
  return plan;
}
