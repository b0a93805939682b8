import { useState } from 'react';
import type { AdminProduct } from '../../../../domain/admin/product-input.ts';
import { AdminError } from '../../../../services/admin/api.ts';
import { restoreProduct } from '../../../../services/admin/products.ts';
import { catalogueEdited } from '../../../../stores/admin-catalogue.ts';
import { showToast } from '../../../../stores/toasts.ts';

/** Brings a deleted product back, hidden if it was hidden. */
export function RestoreButton({ product, onRestored }: { product: AdminProduct; onRestored: () => void }) {
  const [busy, setBusy] = useState(false);
  const restore = async () => {
    setBusy(true);
    try {
      await restoreProduct(product.id);
      showToast('Brought back', { description: product.name, tone: 'success' });
      onRestored();
      catalogueEdited();
    } catch (error) {
      const description = error instanceof AdminError ? error.message : 'Something went wrong here. Please try again.';
      showToast('Error', { description, tone: 'destructive' });
      setBusy(false);
    }
  };
  return (
    <button type="button" className="btn btn-secondary min-h-11 px-4 text-sm" aria-busy={busy} onClick={() => busy || void restore()}>
      {busy ? 'Bringing back…' : 'Bring back'}
      <span className="visually-hidden"> {product.name}</span>
    </button>
  );
}
