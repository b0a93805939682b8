import { categoryLabel } from '#domain/catalogue/category.ts';
import type { ProductField, ProductForm } from './product-form.ts';

const short = (text: string): string =>
  text.length > 60 ? `${text.slice(0, 59).trimEnd()}…` : text;

/** A field's value as text, for the admin to compare; long texts by their beginning. */
export function describeField(form: ProductForm, field: ProductField): string {
  if (field === 'images')
    return form.images.length === 0
      ? 'no picture'
      : form.images.length === 1
        ? '1 picture'
        : `${String(form.images.length)} pictures`;
  if (field === 'imageAlts') return short(form.imageAlts.filter(Boolean).join(' · ')) || 'none';
  if (field === 'hidden') return form.hidden ? 'no' : 'yes';
  if (field === 'sizes')
    return form.sizes.map(({ size, stock }) => `${size}: ${stock || '0'}`).join(', ') || 'none';
  const text = form[field].trim();
  if (text === '') return field === 'stock' ? '0' : 'empty';
  if (field === 'category') return categoryLabel(text);
  return field === 'price' || field === 'offerPrice' ? `₹${text}` : short(text);
}
