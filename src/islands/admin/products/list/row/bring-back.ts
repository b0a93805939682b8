import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { productsApi } from '#domain/admin/products/products-api.ts';
import { callAdmin } from '#services/admin/api.ts';
import { tellEdit } from '#islands/admin/publish/tell-edit.ts';
import { dismissToast, showToast } from '#stores/toasts.ts';
import { failureMessage } from '#islands/admin/shared/fetching/failure.ts';

/** Brings a deleted product back, hidden if it was hidden, and shows a toast. Throws AdminError. */
export async function bringBack(product: AdminProduct): Promise<void> {
  await callAdmin(productsApi.restore, { params: { id: product.id }, body: {} });
  void tellEdit('Brought back', { products: [product], notes: [`${product.name}.`] });
}

/** Tells that a product is deleted, with the button that brings it back: a slip costs one press. */
export function showDeleted(product: AdminProduct): void {
  const line = document.createElement('span');
  const undo = document.createElement('button');
  undo.type = 'button';
  undo.className = 'link min-h-11 cursor-pointer px-2';
  undo.textContent = 'Undo';
  line.append(product.name, ' ', undo);
  const toast = showToast('Deleted', { description: line, tone: 'success', durationMs: 10_000 });
  undo.addEventListener(
    'click',
    () => {
      dismissToast(toast);
      bringBack(product).catch((error: unknown) => {
        showToast('Not brought back', {
          description: failureMessage(error),
          tone: 'destructive',
        });
      });
    },
    { once: true },
  );
}
