import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, useState } from 'react';
import { unplacedStock, type ProductErrors } from '#domain/admin/products/product-form.ts';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { sizeGuideOf } from '#domain/catalogue/worn-by-size.ts';
import { CheckField } from '#islands/admin/shared/fields/CheckField.tsx';
import { BusyButton } from '#islands/shared/BusyButton.tsx';
import { revealField } from '#islands/shared/reveal-field.ts';
import { DialogFoot } from '#islands/shared/DialogFoot.tsx';
import { DiscardButton } from './DiscardButton.tsx';
import { DraftNotice, SaveFailure } from './FormNotices.tsx';
import { folded, MoreDetails } from './MoreDetails.tsx';
import { ImageSlots } from '#islands/admin/products/images/ImageSlots.tsx';
import { imagesOf } from '#islands/admin/products/images/pasted-images.ts';
import type { BindField, ProductModel } from './product-model.ts';
import { ProductFields } from './ProductFields.tsx';
import { SizesField } from './SizesField.tsx';
import { useProductSaving } from './use-product-saving.ts';

interface ProductFormProps {
  model: ProductModel;
  onSaving: (saving: boolean) => void;
  onSaved: () => void;
  /** Closes the form; the draft stays stored. */
  onLeave: () => void;
  /** Opens a new product with the values of this one. */
  onDuplicate: (product: AdminProduct) => void;
  /** Gives up what was typed. */
  onDiscard: () => void;
}

export function ProductForm({
  model,
  onSaving,
  onSaved,
  onLeave,
  onDuplicate,
  onDiscard,
}: ProductFormProps) {
  const texts = useStore(model.$texts);
  const slots = useStore(model.images.$slots);
  const saving = useProductSaving(model, onSaved);
  const { busy, errors, problem } = saving;
  const [details, setDetails] = useState(() => folded.some((field) => texts[field] !== ''));
  const form = useRef<HTMLFormElement>(null);
  const formId = useId();
  useEffect(() => {
    onSaving(busy);
  }, [busy, onSaving]);
  useEffect(() => {
    // A copy takes the place of the form that was open: it begins at its name.
    if (model.isCopy) form.current?.querySelector<HTMLInputElement>('[name="name"]')?.focus();
  }, [model]);

  const showErrors = (found: ProductErrors) => {
    if (folded.some((field) => found[field] !== undefined)) setDetails(true);
    // After the folded fields are drawn.
    if (Object.keys(found).length > 0)
      setTimeout(() => {
        const first = form.current?.querySelector<HTMLElement>('[aria-invalid=true]');
        first?.focus({ preventScroll: true });
        if (first) revealField(first);
      });
  };
  const bind: BindField = (field) => ({
    name: field,
    value: texts[field],
    error: errors[field],
    onValue: (value) => {
      model.type(field, value);
      saving.clearError(field);
    },
  });
  const sending = slots.some(({ upload }) => upload?.state === 'sending');
  return (
    <form
      id={formId}
      ref={form}
      noValidate
      className="mt-4 grid gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        void saving.save().then(showErrors);
      }}
      onPaste={(event) => {
        const images = imagesOf(event.clipboardData);
        if (images.length === 0) return;
        event.preventDefault();
        model.images.fill(images);
      }}
    >
      <DraftNotice restoredFrom={model.restoredFrom} />
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <CheckField
          label="Show in the shop"
          checked={!texts.hidden}
          onChecked={(shown) => {
            model.hide(!shown);
            saving.clearError('hidden');
          }}
        />
        {model.dirty() || sending ? null : (
          <DuplicateButton product={model.base()} onDuplicate={onDuplicate} />
        )}
        {errors.hidden === undefined ? null : (
          <p className="field-error basis-full">{errors.hidden}</p>
        )}
        {texts.hidden ? (
          <p className="field-hint basis-full">
            Kept here for you alone. Orders that were placed for it stay as they are.
          </p>
        ) : null}
      </div>
      <ProductFields bind={bind} isNew={model.base() === null} sizes={texts.sizes} />
      <SizesField
        sizes={texts.sizes}
        sentence={bind('size')}
        isWanted={sizeGuideOf(texts.category) !== null}
        unplaced={unplacedStock(texts, model.base())}
        error={errors.sizes}
        onSizes={(sizes) => {
          model.setSizes(sizes);
          saving.clearError('sizes');
          saving.clearError('size');
        }}
        onSoldOut={() => {
          model.type('stock', '0');
          saving.clearError('sizes');
        }}
      />
      <ImageSlots images={model.images} slots={slots} error={errors.images ?? errors.imageAlts} />
      <MoreDetails bind={bind} open={details} onOpen={setDetails} />
      <DialogFoot>
        <SaveFailure
          problem={problem}
          busy={busy}
          onAddAnew={() => void saving.addAnew().then(showErrors)}
        />
        <BusyButton
          form={formId}
          busy={busy}
          busyText={sending ? 'Sending pictures…' : 'Saving…'}
          className="btn btn-primary max-sm:px-[1.125rem]"
        >
          Save
        </BusyButton>
        <button
          type="button"
          className="btn btn-secondary max-sm:px-[1.125rem]"
          onClick={() => busy || onLeave()}
        >
          Close
        </button>
        {model.dirty() || sending ? <DiscardButton disabled={busy} onDiscard={onDiscard} /> : null}
      </DialogFoot>
    </form>
  );
}

/** Only of a product as it is stored: what is typed here would go into two of them. */
function DuplicateButton({
  product,
  onDuplicate,
}: {
  product: AdminProduct | null;
  onDuplicate: (product: AdminProduct) => void;
}) {
  if (product === null) return null;
  return (
    <button type="button" className="btn btn-quiet btn-small" onClick={() => onDuplicate(product)}>
      Duplicate
    </button>
  );
}
