import { describeField } from './describe-field.ts';
import {
  productFields,
  stockFromText,
  type ProductErrors,
  type ProductField,
  type ProductForm,
} from './product-form.ts';
import { hasSizes, sameCount, sameField, sameText } from './same-form.ts';

/** Fields that are taken or kept together: a picture's description belongs to its picture. */
const groups: readonly (readonly [ProductField, ...ProductField[]])[] = [
  ['images', 'imageAlts'],
  ...productFields
    .filter((field) => !['images', 'imageAlts', 'stock', 'sizes'].includes(field))
    .map((field): [ProductField] => [field]),
];

/**
 * The admin's own change of a stock, made to the stock of now. It was 6, the admin typed 10 because 4 arrived, and 1 was sold
 * meanwhile: 9. Null when less than none would be left.
 */
function movedStock(base: string, mine: string, theirs: string): string | null {
  const moved = stockFromText(theirs) + stockFromText(mine) - stockFromText(base);
  return moved < 0 ? null : String(moved);
}

const stockOf = ({ sizes }: ProductForm, size: string) =>
  sizes.find((one) => sameText(one.size, size))?.stock;

/** The sizes of both, with the stock of now; `changed` when the admin must look at them. */
function rebaseSizes(
  base: ProductForm,
  mine: ProductForm,
  theirs: ProductForm,
): { sizes: ProductForm['sizes']; changed: boolean } {
  const isNew = ({ size }: { size: string }, ...forms: ProductForm[]) =>
    forms.every((form) => stockOf(form, size) === undefined);
  let changed =
    base.sizes.some((one) => isNew(one, theirs)) || theirs.sizes.some((one) => isNew(one, base));
  const kept = mine.sizes.flatMap((one) => {
    const [had, now] = [stockOf(base, one.size), stockOf(theirs, one.size)];
    if (had === undefined) return [one];
    if (now === undefined) return sameCount(had, one.stock) ? [] : [one];
    const stock = movedStock(had, one.stock, now);
    changed ||= stock === null;
    return [stock === null ? one : { ...one, stock }];
  });
  return { sizes: [...kept, ...theirs.sizes.filter((one) => isNew(one, base, mine))], changed };
}

function rebaseStock(
  base: ProductForm,
  mine: ProductForm,
  theirs: ProductForm,
): { form: Pick<ProductForm, 'stock' | 'sizes'>; changed: boolean } {
  const { stock, sizes } = mine;
  if (hasSizes(base) !== hasSizes(theirs)) {
    const isUntouched = sameField(base, mine, 'stock') && sameField(base, mine, 'sizes');
    return { form: isUntouched ? theirs : mine, changed: true };
  }
  if (hasSizes(mine) && hasSizes(theirs)) {
    const rebased = rebaseSizes(base, mine, theirs);
    return { form: { stock, sizes: rebased.sizes }, changed: rebased.changed };
  }
  if (sameCount(base.stock, theirs.stock)) return { form: mine, changed: false };
  // Sizes that the admin has just made share out a stock that has moved since.
  if (hasSizes(mine)) return { form: mine, changed: true };
  const moved = movedStock(base.stock, stock, theirs.stock);
  return { form: { stock: moved ?? stock, sizes }, changed: moved === null };
}

export interface RebasedForm {
  /** Everything that the admin typed, on top of what is stored now. */
  form: ProductForm;
  /** A message for each field that changed elsewhere meanwhile: the admin looks again before it is saved. */
  changed: ProductErrors;
}

/**
 * Puts what the admin typed on top of a product that was changed elsewhere. Stock counts as a change, so that a sale meanwhile
 * stays a sale and needs no question.
 *
 * @param base - The product as the form was opened.
 * @param mine - The form.
 * @param theirs - The product as it is stored now.
 */
export function rebaseForm(base: ProductForm, mine: ProductForm, theirs: ProductForm): RebasedForm {
  const changed: ProductErrors = {};
  const say = (field: ProductField) => {
    changed[field] =
      `Changed meanwhile from ${describeField(base, field)} to ${describeField(theirs, field)}: look again.`;
  };
  const taken: Partial<ProductForm> = {};
  for (const group of groups) {
    const same = (a: ProductForm, b: ProductForm) => group.every((field) => sameField(a, b, field));
    if (same(base, theirs) || same(mine, theirs)) continue;
    if (same(base, mine))
      Object.assign(taken, Object.fromEntries(group.map((field) => [field, theirs[field]])));
    say(group[0]);
  }
  const stock = rebaseStock(base, mine, theirs);
  const form = { ...mine, ...taken, stock: stock.form.stock, sizes: stock.form.sizes };
  if (stock.changed) say(hasSizes(form) ? 'sizes' : 'stock');
  return { form, changed };
}
