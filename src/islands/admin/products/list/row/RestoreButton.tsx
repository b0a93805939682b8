import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { bringBack } from './bring-back.ts';

/** Brings a deleted product back, hidden if it was hidden. */
export function RestoreButton({
  product,
  onRestored,
}: {
  product: AdminProduct;
  onRestored: () => void;
}) {
  const { busy, error, run } = useAction();
  const restore = async () => {
    if (await run('Not brought back', () => bringBack(product))) onRestored();
  };
  return (
    <>
      <button
        type="button"
        className="btn btn-secondary min-h-11 px-4 text-sm"
        aria-busy={busy}
        onClick={() => void restore()}
      >
        {busy ? 'Bringing back…' : 'Bring back'}
        <span className="visually-hidden"> {product.name}</span>
      </button>
      <ActionError error={error} />
    </>
  );
}
