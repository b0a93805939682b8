import { rebaseForm } from '#domain/admin/products/product-rebase.ts';
import { sameForm } from '#domain/admin/products/same-form.ts';
import {
  formOfProduct,
  productFields,
  readProductForm,
  stockFromText,
  sumOfSizes,
  type ProductErrors,
  type ProductField,
  type ProductForm,
} from '#domain/admin/products/product-form.ts';
import { revisionOf, type AdminProduct } from '#domain/admin/products/product-input.ts';
import { productsApi } from '#domain/admin/products/products-api.ts';
import { AdminError } from '#services/admin/admin-error.ts';
import { callAdmin, readConflict } from '#services/admin/api.ts';

/** How an edit ended. 'changed': a field that the admin sees was changed elsewhere meanwhile, and nothing was saved. */
type EditOutcome =
  { kind: 'saved'; product: AdminProduct } | { kind: 'changed'; current: AdminProduct };

/** How a save ended. 'gone': the product was deleted meanwhile. */
export type SaveOutcome =
  EditOutcome | { kind: 'gone' } | { kind: 'failed'; message: string; errors: ProductErrors };

const maxTries = 4;

function inputOf(form: ProductForm) {
  const reading = readProductForm(form);
  if (reading.ok) return reading.product;
  throw new AdminError('This product has an invalid field. Please open it and save it.', 0, '');
}

/**
 * Saves an edit of a stored product. When it changed meanwhile the edit is put on top of it and compared again, unless a field
 * changed that the admin sees.
 *
 * @param base - The product as the admin saw it.
 * @param seen - The fields that the admin sees; others follow the shop.
 * @throws AdminError
 */
export async function saveEdit(
  base: AdminProduct,
  form: ProductForm,
  seen: readonly ProductField[] = productFields,
): Promise<EditOutcome> {
  let [stored, edited] = [base, form];
  for (let tries = 0; tries < maxTries; tries += 1) {
    try {
      const { product } = await callAdmin(productsApi.save, {
        params: { id: base.id },
        body: { product: inputOf(edited), seen: revisionOf(stored) },
      });
      return { kind: 'saved', product };
    } catch (error) {
      const conflict = readConflict(productsApi.save, error);
      if (conflict === null) throw error;
      const { current } = conflict;
      const rebased = rebaseForm(formOfProduct(stored), edited, formOfProduct(current));
      if (seen.some((field) => rebased.changed[field] !== undefined))
        return { kind: 'changed', current };
      [stored, edited] = [current, rebased.form];
    }
  }
  throw new AdminError('This product is being changed elsewhere. Please try again.', 409, '');
}

async function saveNew(id: string, form: ProductForm): Promise<EditOutcome> {
  const { product: stored } = await callAdmin(productsApi.add, {
    body: { id, product: inputOf(form) },
  });
  // An earlier try arrived though its response was lost, and the form was changed since: then this is an edit of it.
  if (sameForm(formOfProduct(stored), formOfProduct(inputOf(form))))
    return { kind: 'saved', product: stored };
  return saveEdit(stored, form);
}

/** Tells about stock that was saved as a change of another number than the typed form began with; null when there is nothing to tell. */
export function stockNote(
  { sizes, stock }: ProductForm,
  saved: Pick<AdminProduct, 'stock'>,
): string | null {
  const typed = sizes.length > 0 ? sumOfSizes(sizes) : stockFromText(stock);
  return typed === saved.stock
    ? null
    : `Stock is ${String(saved.stock)}: it changed while you were editing.`;
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

/** Saves the product form: adds a product when `base` is null, else edits what `base` was. Never throws. */
export async function saveProduct(
  id: string,
  base: AdminProduct | null,
  form: ProductForm,
): Promise<SaveOutcome> {
  try {
    return await (base ? saveEdit(base, form) : saveNew(id, form));
  } catch (error) {
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
