import type { FileRow } from './catalogue-csv.ts';
import type { Category } from '#domain/catalogue/category.ts';
import type { TableFault } from '#domain/admin/table-file.ts';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import type { EntryOf } from './import-cells.ts';
import { cell, faulty, planRow, type PlannedProduct, type RowEffect } from './plan-row.ts';
import type { SourceProduct } from './sources/source.ts';

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
