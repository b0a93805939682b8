import { describeField, productFields, productLabels, type ProductField, type ProductForm } from './product-form.ts';

/** A field that somebody else changed since the form was opened. */
export interface FieldConflict {
  field: ProductField;
  label: string;
  /** 'both': the admin changed it too and must choose. 'theirs': the admin had not touched it. */
  kind: 'both' | 'theirs';
  mine: string;
  theirs: string;
  /** What happened, as a sentence. */
  message: string;
}

const sameText = (a: string, b: string) => a.trim() === b.trim();

/** Whether two forms say the same in a field, surrounding spaces aside. */
function sameField(a: ProductForm, b: ProductForm, field: ProductField): boolean {
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
        message: describeConflict(base, mine, theirs, field, kind),
      };
    });
}

/** The form after the admin's choice: what is stored now, but for the fields that are `mine`. */
export function resolveConflicts(
  mine: ProductForm,
  theirs: ProductForm,
  conflicts: readonly FieldConflict[],
  keepMine: ReadonlySet<ProductField>,
): ProductForm {
  const taken = conflicts.filter(({ field }) => !keepMine.has(field)).map(({ field }) => [field, theirs[field]]);
  return { ...mine, ...(Object.fromEntries(taken) as Partial<ProductForm>) };
}
