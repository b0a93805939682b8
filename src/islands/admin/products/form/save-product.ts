import { sameForm } from '../../../../domain/admin/products/product-conflict.ts';
import {
  formOfProduct,
  productFields,
  type ProductErrors,
} from '../../../../domain/admin/products/product-form.ts';
import {
  revisionOf,
  type AdminProduct,
  type ProductInput,
} from '../../../../domain/admin/products/product-input.ts';
import { AdminError } from '../../../../services/admin/admin-error.ts';
import {
  addProduct,
  currentOf,
  updateProduct,
} from '../../../../services/admin/catalogue/products.ts';

/** How a save ended. 'gone': the product was deleted meanwhile. */
export type SaveOutcome =
  | { kind: 'saved'; product: AdminProduct }
  | { kind: 'conflict'; current: AdminProduct }
  | { kind: 'gone' }
  | { kind: 'failed'; message: string; errors: ProductErrors };

async function send(
  id: string,
  base: AdminProduct | null,
  product: ProductInput,
): Promise<AdminProduct> {
  if (base) return updateProduct(id, product, revisionOf(base));
  const stored = await addProduct(id, product);
  // An earlier try arrived though its response was lost, and the form was changed since: then this is an edit of it.
  if (sameForm(formOfProduct(stored), formOfProduct(product))) return stored;
  return updateProduct(id, product, revisionOf(stored));
}

/** The server's messages, by the fields of the form. */
function fieldErrors(fields: Readonly<Record<string, string>>): ProductErrors {
  const errors: ProductErrors = {};
  for (const [path, message] of Object.entries(fields)) {
    const name = path
      .replace(/^product\./u, '')
      .replace(/^attributes\./u, '')
      .replace(/\.\d+(?:\.\w+)?$/u, '');
    const field = productFields.find((known) => known === name);
    if (field) errors[field] ??= message;
  }
  return errors;
}

/** Saves a product: adds it when `base` is null, else edits what `base` was. Never throws. */
export async function saveProduct(
  id: string,
  base: AdminProduct | null,
  product: ProductInput,
): Promise<SaveOutcome> {
  try {
    return { kind: 'saved', product: await send(id, base, product) };
  } catch (error) {
    const current = currentOf(error);
    if (current) return { kind: 'conflict', current };
    if (!(error instanceof AdminError)) {
      console.error('The product could not be saved', error);
      return {
        kind: 'failed',
        message: 'Something went wrong here. Please try again.',
        errors: {},
      };
    }
    if (error.status === 404 && base) return { kind: 'gone' };
    return { kind: 'failed', message: error.message, errors: fieldErrors(error.fields) };
  }
}
