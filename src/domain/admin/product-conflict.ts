import { describeField, productFields, productLabels, stockFromText, type ProductField, type ProductForm } from './product-form.ts';

/** A field that somebody else changed since the form was opened. */
export interface FieldConflict {
  field: ProductField;
  label: string;
  /** 'both': the admin changed it too and must choose. 'theirs': the admin had not touched it. */
  kind: 'both' | 'theirs';
  mine: string;
  theirs: string;
  /** Stock alone, changed by both: what is there now and the admin's own change, as the value and how it comes about. */
  sum: { value: string; how: string } | null;
  /** What happened, as a sentence. */
  message: string;
}

const sameText = (a: string, b: string) => a.trim() === b.trim();

/** Whether two forms say the same in a field, surrounding spaces aside. */
export function sameField(a: ProductForm, b: ProductForm, field: ProductField): boolean {
  if (field === 'images' || field === 'imageAlts') {
    return a[field].length === b[field].length && a[field].every((text, index) => sameText(text, b[field][index] ?? ''));
  }
  if (field === 'hidden') return a.hidden === b.hidden;
  // Nothing typed is 0.
  if (field === 'stock') return Number(a.stock) === Number(b.stock);
  return sameText(a[field], b[field]);
}

export function sameForm(a: ProductForm, b: ProductForm): boolean {
  return productFields.every((field) => sameField(a, b, field));
}

function describeConflict(base: ProductForm, mine: ProductForm, theirs: ProductForm, field: ProductField, kind: FieldConflict['kind']): string {
  const now = describeField(theirs, field);
  const typed = kind === 'both' ? `, you typed ${describeField(mine, field)}` : '';
  if (field !== 'stock') return `${productLabels[field]} was ${describeField(base, field)}, it is now ${now}${typed}`;
  const sold = Number(base.stock) - Number(theirs.stock);
  const event = sold > 0 ? `${String(sold)} sold` : `${String(-sold)} came back`;
  return `${event} while you were editing: stock is ${now}${typed}`;
}

/** Had 6, typed 10 because 4 came, meanwhile 1 was sold: 9. Null when it is no stock, or one of the two values anyway. */
function stockSum(base: ProductForm, mine: ProductForm, theirs: ProductForm): FieldConflict['sum'] {
  const had = stockFromText(base.stock);
  const typed = stockFromText(mine.stock);
  const now = stockFromText(theirs.stock);
  const sum = now + typed - had;
  if (!Number.isInteger(sum) || sum < 0 || sum === typed || sum === now) return null;
  const part = (change: number) => `${change < 0 ? '−' : '+'} ${String(Math.abs(change))}`;
  return { value: String(sum), how: `${String(had)} ${part(now - had)} ${part(typed - had)}` };
}

/** Whose value stays in a field; 'sum' for stock that both changed. */
export type ConflictChoices = Readonly<Partial<Record<ProductField, 'mine' | 'theirs' | 'sum'>>>;

/**
 * What changed between the product as the form was opened (`base`) and as it is stored now (`theirs`), as far as it
 * differs from the form (`mine`). Fields that only the admin changed are no conflict.
 */
export function findConflicts(base: ProductForm, mine: ProductForm, theirs: ProductForm): FieldConflict[] {
  return productFields
    .filter((field) => !sameField(base, theirs, field) && !sameField(mine, theirs, field))
    .map((field) => {
      const kind = sameField(base, mine, field) ? 'theirs' : 'both';
      return {
        field,
        label: productLabels[field],
        kind,
        mine: describeField(mine, field),
        theirs: describeField(theirs, field),
        sum: field === 'stock' && kind === 'both' ? stockSum(base, mine, theirs) : null,
        message: describeConflict(base, mine, theirs, field, kind),
      };
    });
}

/** The form after the admin's choice: what is stored now, but for the fields that are chosen otherwise. */
export function resolveConflicts(
  mine: ProductForm,
  theirs: ProductForm,
  conflicts: readonly FieldConflict[],
  choices: ConflictChoices,
): ProductForm {
  const taken = conflicts.filter(({ field }) => choices[field] !== 'mine').map(({ field, sum }) => [
    field,
    choices[field] === 'sum' && sum !== null ? sum.value : theirs[field],
  ]);
  return { ...mine, ...(Object.fromEntries(taken) as Partial<ProductForm>) };
}
