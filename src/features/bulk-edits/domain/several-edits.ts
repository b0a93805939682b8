import type { Category } from '#domain/catalogue/category.ts';
import type { Paise } from '#domain/money.ts';
import { sameForm } from '#domain/admin/products/same-form.ts';
import {
  formOfProduct,
  readProductForm,
  sizeErrors,
  type ProductForm,
} from '#domain/admin/products/product-form.ts';
import {
  revisionOf,
  type AdminProduct,
  type ExpectedRevision,
  type ProductInput,
} from '#domain/admin/products/product-input.ts';
import { paiseFromText, rupeeText } from '#domain/admin/typed-rupees.ts';

/** A change of price: basis points of it or paise, below nothing to lower it. */
export type PriceChange = { by: 'percent'; basisPoints: number } | { by: 'amount'; paise: Paise };

/** Edits applied to several products at once. */
export type SeveralEdit = { hidden: boolean } | { category: Category } | { price: PriceChange };

/** A price after a change, in whole rupees: half a rupee goes up. */
export function changedPrice(price: Paise, change: PriceChange): Paise {
  // Integers up to 1e8 × 1e6: exact.
  const exact =
    change.by === 'percent'
      ? (price * (10_000 + change.basisPoints)) / 10_000
      : price + change.paise;
  return Math.floor((exact + 50) / 100) * 100;
}

/** Reads what was typed as a change, '10' or '12.5' per cent, or rupees. Null when it is none, and for no change at all. */
export function priceChangeFromText(
  by: PriceChange['by'],
  direction: 'up' | 'down',
  text: string,
): PriceChange | null {
  const hundredths = paiseFromText(by === 'percent' ? text.replace(/\s*%\s*$/u, '') : text);
  if (hundredths === null || hundredths === 0) return null;
  if (by === 'percent' && hundredths > (direction === 'down' ? 10_000 : 100_000)) return null;
  const signed = direction === 'down' ? -hundredths : hundredths;
  return by === 'percent' ? { by, basisPoints: signed } : { by, paise: signed };
}

export interface EditedProduct {
  id: string;
  product: ProductInput;
  seen: ExpectedRevision;
  before: AdminProduct;
}

function editedForm(product: AdminProduct, edit: SeveralEdit): ProductForm {
  const form = formOfProduct(product);
  if ('hidden' in edit) return { ...form, hidden: edit.hidden };
  if ('category' in edit) return { ...form, category: edit.category };
  // A price never goes below zero, which the rules of the form refuse with a sentence that fits.
  const after = (price: Paise) => rupeeText(Math.max(0, changedPrice(price, edit.price)));
  return {
    ...form,
    price: after(product.price),
    offerPrice: product.offerPrice === null ? '' : after(product.offerPrice),
  };
}

/**
 * The products that an edit changes, ready to be saved, by the rules of the product form; and those that it cannot be
 * done to, with the reason. What an edit leaves as it is, is in neither.
 */
export function editProducts(
  products: readonly AdminProduct[],
  edit: SeveralEdit,
): { edited: EditedProduct[]; faults: { name: string; message: string }[] } {
  const edited: EditedProduct[] = [];
  const faults: { name: string; message: string }[] = [];
  for (const before of products) {
    const form = editedForm(before, edit);
    if (sameForm(form, formOfProduct(before))) continue;
    const reading = readProductForm(form);
    // One that comes into the shop, or into a category that is worn by size.
    const unsized = 'price' in edit ? {} : sizeErrors(form);
    if (reading.ok && unsized.size === undefined)
      edited.push({ id: before.id, product: reading.product, seen: revisionOf(before), before });
    else
      faults.push({
        name: before.name,
        message:
          Object.values({ ...(!reading.ok && reading.errors), ...unsized })[0] ??
          'This cannot be saved',
      });
  }
  return { edited, faults };
}
