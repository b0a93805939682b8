import { deletedDays, type AdminProduct } from '#domain/admin/products/product-input.ts';
import { productsApi } from '#domain/admin/products/products-api.ts';
import { callAdmin } from '#services/admin/api.ts';
import { forgetProductDraft } from '#services/admin/catalogue/product-drafts.ts';
import { catalogueEdited } from '#islands/admin/shared/catalogue-edits.ts';
import { showToast } from '#stores/toasts.ts';
import { showDeleted } from './bring-back.ts';
import { ModalDialog } from '#islands/shared/ModalDialog.tsx';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { AdminIcon } from '#islands/admin/shared/AdminIcon.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';

interface DeleteDialogProps {
  product: AdminProduct;
  onClose: (deleted: boolean) => void;
}

/** Asks before a product is deleted. The safe answer has the focus, the other one is red and has a bin on it. */
export function DeleteDialog({ product, onClose }: DeleteDialogProps) {
  const { busy, error, run } = useAction();
  const remove = async () => {
    const isDone = await run('Not deleted', async () => {
      await callAdmin(productsApi.remove, { params: { id: product.id }, body: {} });
      forgetProductDraft(product.id);
      onClose(true);
      catalogueEdited({ deleted: product.id });
      showDeleted(product);
    });
    if (!isDone) showToast('Error', { description: 'Failed to delete', tone: 'destructive' });
  };
  return (
    <ModalDialog
      open
      title={`Delete ${product.name}?`}
      closable={!busy}
      onClose={() => onClose(false)}
      className="max-w-narrow"
    >
      <p className="mt-4 text-ink-700">
        It goes from the shop at once. You can bring it back for {deletedDays} days. Orders that
        were placed for it stay as they are.
      </p>
      <ActionError error={error} className="mt-4" />
      <div className="mt-6 flex flex-wrap gap-3">
        <button
          type="button"
          className="btn btn-secondary"
          data-autofocus
          onClick={() => busy || onClose(false)}
        >
          Keep it
        </button>
        <button
          type="button"
          className="btn btn-danger"
          aria-busy={busy}
          onClick={() => void remove()}
        >
          <AdminIcon name="bin" /> {busy ? 'Deleting…' : 'Delete'}
        </button>
      </div>
    </ModalDialog>
  );
}
