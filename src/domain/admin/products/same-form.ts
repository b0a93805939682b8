import { productFields, type ProductField, type ProductForm } from './product-form.ts';

export const sameText = (a: string, b: string) => a.trim() === b.trim();

export const hasSizes = ({ sizes }: ProductForm) => sizes.length > 0;
/** '' is 0; undefined is a missing size. */
export const sameCount = (a?: string, b?: string) =>
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
