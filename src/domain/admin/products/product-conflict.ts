import {
  productFields,
  productLabels,
  stockFromText,
  type ProductField,
  type ProductForm,
} from './product-form.ts';
import { describeField } from './describe-field.ts';

/** A field that somebody else changed since the form was opened. */
export interface FieldConflict {
  field: ProductField;
  /** The key of the choice: the field, for a size with its name. */
  key: string;
  label: string;
  /** 'both': the admin changed it too and must choose. 'theirs': the admin had not touched it. */
  kind: 'both' | 'theirs';
  mine: string;
  theirs: string;
  /** Stock alone, changed by both: what is there now and the admin's own change, as the value and how it comes about. */
  sum: { value: string; how: string } | null;
  /** The change, as a sentence. */
  message: string;
}

const sameText = (a: string, b: string) => a.trim() === b.trim();

const hasSizes = ({ sizes }: ProductForm) => sizes.length > 0;
/** '' is 0; undefined is a missing size. */
const sameCount = (a?: string, b?: string) =>
  a === undefined || b === undefined ? a === b : Number(a) === Number(b);

/** Whether two forms have the same value in a field, ignoring surrounding spaces. */
export function sameField(a: ProductForm, b: ProductForm, field: ProductField): boolean {
  if (field === 'images' || field === 'imageAlts') {
    return (
      a[field].length === b[field].length &&
      a[field].every((text, index) => sameText(text, b[field][index] ?? ''))
    );
  }
  if (field === 'hidden') return a.hidden === b.hidden;
  if (field === 'sizes') {
    return (
      a.sizes.length === b.sizes.length &&
      a.sizes.every(
        (one, index) =>
          sameText(one.size, b.sizes[index]?.size ?? '') &&
          sameCount(one.stock, b.sizes[index]?.stock),
      )
    );
  }
  // With sizes it is their sum.
  if (field === 'stock')
    return hasSizes(a) === hasSizes(b) && (hasSizes(a) || sameCount(a.stock, b.stock));
  return sameText(a[field], b[field]);
}

export function sameForm(a: ProductForm, b: ProductForm): boolean {
  return productFields.every((field) => sameField(a, b, field));
}

/** A field's value among the two to choose from; of stock that one of them has by size, the sizes. */
function describeChoice(form: ProductForm, other: ProductForm, field: ProductField): string {
  if (field !== 'stock' || hasSizes(form) === hasSizes(other)) return describeField(form, field);
  return hasSizes(form)
    ? describeField(form, 'sizes')
    : `${describeField(form, 'stock')}, without sizes`;
}

function describeConflict(
  base: ProductForm,
  mine: ProductForm,
  theirs: ProductForm,
  field: ProductField,
  kind: FieldConflict['kind'],
): string {
  const now = describeField(theirs, field);
  const typed = kind === 'both' ? `, you typed ${describeChoice(mine, theirs, field)}` : '';
  if (field !== 'stock')
    return `${productLabels[field]} was ${describeField(base, field)}, it is now ${now}${typed}`;
  const sold = Number(base.stock) - Number(theirs.stock);
  const event = sold > 0 ? `${String(sold)} sold` : `${String(-sold)} came back`;
  return `${event} while you were editing: stock is ${now}${typed}`;
}

/**
 * Adds both changes of a stock. It was 6, the admin typed 10 because 4 arrived, and 1 was sold meanwhile: 9. Null for an
 * invalid stock, or when the sum equals one of the values.
 */
function stockSum(base: string, mine: string, theirs: string): FieldConflict['sum'] {
  const had = stockFromText(base);
  const typed = stockFromText(mine);
  const now = stockFromText(theirs);
  const sum = now + typed - had;
  if (!Number.isInteger(sum) || sum < 0 || sum === typed || sum === now) return null;
  const part = (change: number) => `${change < 0 ? '−' : '+'} ${String(Math.abs(change))}`;
  return { value: String(sum), how: `${String(had)} ${part(now - had)} ${part(typed - had)}` };
}

/** Whose value wins in a field; 'sum' for stock that both changed. */
export type ConflictChoices = Readonly<Record<string, 'mine' | 'theirs' | 'sum'>>;

const stockOfSize = (form: ProductForm, size: string) =>
  form.sizes.find((one) => one.size.trim() === size)?.stock;

/** Like `findConflicts`, for each size. A size may be missing on one side. */
function sizeConflicts(base: ProductForm, mine: ProductForm, theirs: ProductForm): FieldConflict[] {
  const names = new Set(
    [base, mine, theirs].flatMap(({ sizes }) => sizes.map(({ size }) => size.trim())),
  );
  return [...names].flatMap((size): FieldConflict[] => {
    const [had, typed, now] = [base, mine, theirs].map((form) => stockOfSize(form, size));
    if (sameCount(had, now) || sameCount(typed, now)) return [];
    const kind = sameCount(had, typed) ? 'theirs' : 'both';
    const sold = Number(had ?? 0) - Number(now ?? 0);
    const event =
      now === undefined
        ? 'removed'
        : sold > 0
          ? `${String(sold)} sold`
          : `${String(-sold)} came back`;
    const your =
      kind === 'theirs'
        ? ''
        : typed === undefined
          ? ', you removed it'
          : `, you typed ${typed || '0'}`;
    const left = now === undefined ? '' : `: stock is ${now}`;
    return [
      {
        field: 'sizes',
        key: `size ${size}`,
        label: productLabels.sizes,
        kind,
        mine: typed === undefined ? 'without it' : typed || '0',
        theirs: now ?? 'without it',
        sum:
          kind === 'both' && had !== undefined && typed !== undefined && now !== undefined
            ? stockSum(had, typed, now)
            : null,
        message: `Size ${size}: ${event} while you were editing${left}${your}`,
      },
    ];
  });
}

/**
 * The changes between the product as the form was opened (`base`) and as it is stored now (`theirs`), as far as it
 * differs from the form (`mine`). Fields that only the admin changed are no conflict.
 */
export function findConflicts(
  base: ProductForm,
  mine: ProductForm,
  theirs: ProductForm,
): FieldConflict[] {
  return productFields.flatMap((field): FieldConflict[] => {
    if (field === 'sizes') return sizeConflicts(base, mine, theirs);
    if (sameField(base, theirs, field) || sameField(mine, theirs, field)) return [];
    const kind = sameField(base, mine, field) ? 'theirs' : 'both';
    return [
      {
        field,
        key: field,
        label: productLabels[field],
        kind,
        mine: describeChoice(mine, theirs, field),
        theirs: describeChoice(theirs, mine, field),
        sum:
          field === 'stock' && kind === 'both' && !hasSizes(mine)
            ? stockSum(base.stock, mine.stock, theirs.stock)
            : null,
        message: describeConflict(base, mine, theirs, field, kind),
      },
    ];
  });
}

/** The form after the admin's choice: the stored values, except for the fields chosen otherwise. */
export function resolveConflicts(
  mine: ProductForm,
  theirs: ProductForm,
  conflicts: readonly FieldConflict[],
  choices: ConflictChoices,
): ProductForm {
  const values = new Map(
    conflicts
      .filter(({ key }) => choices[key] !== 'mine')
      .map(({ field, key, sum }) => [
        key,
        choices[key] === 'sum' && sum !== null ? sum.value : theirs[field],
      ]),
  );
  const taken = [...values].filter(([key]) => productFields.some((field) => field === key));
  const withoutSizes = values.has('stock') && !hasSizes(theirs);
  const sizes = withoutSizes
    ? []
    : [
        ...mine.sizes,
        ...theirs.sizes.filter(({ size }) => stockOfSize(mine, size) === undefined),
      ].flatMap((one) => {
        const key = `size ${one.size.trim()}`;
        const mark = values.get(key);
        if (mark === undefined)
          return stockOfSize(mine, one.size.trim()) === undefined ? [] : [one];
        const stock = typeof mark === 'string' ? mark : stockOfSize(theirs, one.size.trim());
        return stock === undefined ? [] : [{ size: one.size, stock }];
      });
  return { ...mine, sizes, ...(Object.fromEntries(taken) as Partial<ProductForm>) };
}
