import { useEffect, useState } from 'react';
import { showToast } from '#stores/toasts.ts';
import { ModalDialog } from '#islands/shared/ModalDialog.tsx';
import { createProductCopy, createProductModel, type ProductOpening } from './product-model.ts';
import { ProductForm } from './ProductForm.tsx';

interface ProductDialogProps {
  opening: ProductOpening;
  onClose: () => void;
}

/** The form of a new or a stored product. Closing it loses nothing: what was typed waits as a draft. */
export function ProductDialog({ opening, onClose }: ProductDialogProps) {
  // Given up and begun anew, the form is another one.
  const [model, setModel] = useState(() => createProductModel(opening));
  const [saving, setSaving] = useState(false);
  useEffect(() => {
    const unwatch = model.watch();
    return () => {
      model.images.stop();
      unwatch();
    };
  }, [model]);

  const leave = () => {
    const sending = model.images.$slots.get().some(({ upload }) => upload?.state === 'sending');
    if (model.dirty() || sending) {
      const without = sending ? ' The picture that was still being sent must be chosen again.' : '';
      showToast('Draft kept', {
        description: `Open the form again to go on.${without}`,
        durationMs: 6_000,
      });
    }
    onClose();
  };
  return (
    <ModalDialog
      open
      title={model.base() === null ? 'Add Product' : 'Edit Product'}
      closable={!saving}
      onClose={leave}
      className="dialog-full sm:w-[min(54rem,calc(100vw-2rem))]"
    >
      <ProductForm
        key={model.id()}
        model={model}
        onSaving={setSaving}
        onLeave={leave}
        onSaved={onClose}
        onDuplicate={(product) => {
          model.images.stop();
          setModel(createProductCopy(product));
        }}
        onDiscard={() => {
          model.images.stop();
          model.forget();
          if (opening.product === null && model.restoredFrom !== null)
            setModel(createProductModel({ product: null }));
          else onClose();
        }}
      />
    </ModalDialog>
  );
}
