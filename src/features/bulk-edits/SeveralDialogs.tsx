import { useState } from 'react';
import { productCount } from '#domain/admin/products/product-form.ts';
import { deletedDays, type AdminProduct } from '#domain/admin/products/product-input.ts';
import { categories, type Category } from '#domain/catalogue/category.ts';
import { ModalDialog } from '#islands/shared/ModalDialog.tsx';
import { AdminIcon } from '#islands/admin/shared/AdminIcon.tsx';
import { SelectField } from '#islands/admin/shared/fields/SelectField.tsx';
import { categoryOptions } from '#islands/admin/products/category-options.ts';
import type { Several } from './use-several.ts';

export interface SeveralDialogProps {
  several: Several;
  products: readonly AdminProduct[];
  onClose: () => void;
}

/** Why nothing was done. */
export function Problems({ several }: { several: Several }) {
  if (several.problems.length === 0) return null;
  return (
    <div className="notice notice-danger max-h-48 overflow-y-auto" role="alert">
      {several.problems.map((problem, line) => (
        <p key={`${String(line)} ${problem}`} className="wrap-anywhere">
          {problem}
        </p>
      ))}
    </div>
  );
}

/** The same category for all of them. */
export function CategoryDialog({ several, products, onClose }: SeveralDialogProps) {
  const [category, setCategory] = useState<Category>(
    categories.find((known) => known === products[0]?.category) ?? categories[0] ?? '',
  );
  return (
    <ModalDialog
      open
      title={`Category of ${productCount(products.length)}`}
      closable={!several.busy}
      onClose={onClose}
      className="max-w-narrow"
    >
      <form
        className="mt-4 grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void several.edit(products, { category }).then((done) => {
            if (done) onClose();
          });
        }}
      >
        <SelectField
          label="Category"
          value={category}
          options={categoryOptions}
          onValue={setCategory}
        />
        <Problems several={several} />
        <button type="submit" className="btn btn-primary" aria-busy={several.busy}>
          {several.busy ? 'Saving…' : 'Move them'}
        </button>
      </form>
    </ModalDialog>
  );
}

/** Asks before several are deleted. The safe answer has the focus. */
export function DeleteSeveralDialog({ several, products, onClose }: SeveralDialogProps) {
  const names = products
    .slice(0, 5)
    .map(({ name }) => name)
    .join(', ');
  return (
    <ModalDialog
      open
      title={`Delete ${productCount(products.length)}?`}
      closable={!several.busy}
      onClose={onClose}
      className="max-w-narrow"
    >
      <p className="mt-4 wrap-anywhere text-ink-700">
        {names}
        {products.length > 5 ? ` and ${String(products.length - 5)} more` : ''}. They go from the
        shop at once, and can be brought back for {deletedDays} days. Orders that were placed for
        them stay as they are.
      </p>
      <div className="mt-4">
        <Problems several={several} />
      </div>
      <div className="mt-4 flex flex-wrap gap-3">
        <button
          type="button"
          className="btn btn-secondary"
          data-autofocus
          onClick={() => several.busy || onClose()}
        >
          Keep them
        </button>
        <button
          type="button"
          className="btn btn-danger"
          aria-busy={several.busy}
          onClick={() => {
            void several.remove(products).then((done) => {
              if (done) onClose();
            });
          }}
        >
          <AdminIcon name="bin" /> {several.busy ? 'Deleting…' : 'Delete'}
        </button>
      </div>
    </ModalDialog>
  );
}
