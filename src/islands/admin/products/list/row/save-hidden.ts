import {
  formOfProduct,
  readProductForm,
} from '../../../../../domain/admin/products/product-form.ts';
import {
  revisionOf,
  type AdminProduct,
} from '../../../../../domain/admin/products/product-input.ts';
import { AdminError } from '../../../../../services/admin/admin-error.ts';
import { currentOf, updateProduct } from '../../../../../services/admin/catalogue/products.ts';

/** Takes a product out of the shop, or puts it back, and changes nothing else: not what was sold or edited meanwhile. */
export async function saveHidden(
  product: AdminProduct,
  hidden: boolean,
  tries = 0,
): Promise<AdminProduct> {
  const reading = readProductForm({ ...formOfProduct(product), hidden });
  if (!reading.ok)
    throw new AdminError('This product has an invalid field. Please open it and save it.', 0, '');
  try {
    return await updateProduct(product.id, reading.product, revisionOf(product));
  } catch (error) {
    const current = currentOf(error);
    if (!current || tries === 3) throw error;
    return saveHidden(current, hidden, tries + 1);
  }
}
