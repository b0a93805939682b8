import type { AdminProduct } from '../../../../domain/admin/products/product-input.ts';
import { restoreProduct } from '../../../../services/admin/catalogue/products.ts';
import { catalogueEdited } from '../../../../stores/admin-catalogue.ts';
import { showToast } from '../../../../stores/toasts.ts';
import { useAction } from '../../shared/use-action.ts';

/** Brings a deleted product back, hidden if it was hidden. */
export function RestoreButton({
  product,
  onRestored,
}: {
  product: AdminProduct;
  onRestored: () => void;
}) {
  const { busy, run } = useAction();
  const restore = async () => {
    const done = await run('Not brought back', async () => {
      await restoreProduct(product.id);
    });
    if (!done) return;
    showToast('Brought back', { description: product.name, tone: 'success' });
    onRestored();
    catalogueEdited();
  };
  return (
    <button
      type="button"
      className="btn btn-secondary min-h-11 px-4 text-sm"
      aria-busy={busy}
      onClick={() => void restore()}
    >
      {busy ? 'Bringing back…' : 'Bring back'}
      <span className="visually-hidden"> {product.name}</span>
    </button>
  );
}
