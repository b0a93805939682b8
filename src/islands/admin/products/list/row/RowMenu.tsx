import { useEffect, useRef } from 'react';
import { formOfProduct } from '#domain/admin/products/product-form.ts';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { tellEdit } from '#islands/admin/publish/tell-edit.ts';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import type { ProductOpening } from '#islands/admin/products/form/product-model.ts';
import { saveEdit } from '#islands/admin/products/form/save-product.ts';

interface RowMenuProps {
  product: AdminProduct;
  onClose: () => void;
  onOpen: (opening: ProductOpening) => void;
}

/** Rare actions on one product: another one like it, and out of the shop or back into it. */
export function RowMenu({ product, onClose, onOpen }: RowMenuProps) {
  const { name, hidden } = product;
  const action = useAction();
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    first.current?.focus();
  }, []);
  const toggle = () =>
    void action.run('Not saved', async () => {
      // The admin sees no field: all of them follow the shop.
      const outcome = await saveEdit(product, { ...formOfProduct(product), hidden: !hidden }, []);
      if (outcome.kind === 'changed') return;
      const { product: saved } = outcome;
      onClose();
      void tellEdit(saved.hidden ? 'Hidden' : 'In the shop again', {
        products: [saved],
        edit: { saved },
        notes: [`${name}.`],
      });
    });
  return (
    <div
      role="group"
      aria-label={`More for ${name}`}
      className="flex flex-wrap items-center gap-2 py-3"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <button
        type="button"
        ref={first}
        className="btn btn-secondary btn-small"
        onClick={() => onOpen({ product, copy: true })}
      >
        Duplicate
      </button>
      <button
        type="button"
        className="btn btn-secondary btn-small"
        aria-busy={action.busy}
        onClick={toggle}
      >
        {hidden ? 'Show in the shop' : 'Hide from the shop'}
      </button>
      <button type="button" className="btn btn-quiet btn-small" onClick={onClose}>
        Close
      </button>
      <ActionError error={action.error} />
    </div>
  );
}
