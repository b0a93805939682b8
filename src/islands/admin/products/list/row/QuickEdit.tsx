import { useEffect, useRef, useState } from 'react';
import {
  formOfProduct,
  readProductForm,
  type ProductErrors,
} from '#domain/admin/products/product-form.ts';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { rebaseForm } from '#domain/admin/products/product-rebase.ts';
import { Field } from '#islands/shared/Field.tsx';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { tellEdit } from '#islands/admin/publish/tell-edit.ts';
import { saveEdit, stockNote } from '#islands/admin/products/form/save-product.ts';

const fields = ['price', 'offerPrice', 'stock'] as const;

interface QuickEditProps {
  product: AdminProduct;
  onClose: () => void;
  /** Opens the form, where the stock of sizes is. */
  onEdit: () => void;
}

/**
 * Price and stock of a product, changed in its row. Compared before it is written like the whole form: when a price changed
 * elsewhere meanwhile nothing is saved, and the field says so.
 */
export function QuickEdit({ product, onClose, onEdit }: QuickEditProps) {
  const [base, setBase] = useState(product);
  const [typed, setTyped] = useState(() => formOfProduct(product));
  const [errors, setErrors] = useState<ProductErrors>({});
  const { busy, error, run } = useAction();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current
      ?.querySelector<HTMLInputElement>('[name="stock"]:read-write, [name="price"]')
      ?.focus();
  }, []);

  const type = (field: (typeof fields)[number]) => (value: string) => {
    setTyped({ ...typed, [field]: value });
    setErrors({});
  };
  const step = (by: number) => {
    const stock = Number(typed.stock) + by;
    if (Number.isInteger(stock) && stock >= 0) type('stock')(String(stock));
  };
  const save = async () => {
    const reading = readProductForm(typed);
    setErrors(reading.ok ? {} : reading.errors);
    if (!reading.ok) return;
    await run('Not saved', async () => {
      const outcome = await saveEdit(base, typed, fields);
      if (outcome.kind === 'changed') {
        const { current } = outcome;
        const { form, changed } = rebaseForm(formOfProduct(base), typed, formOfProduct(current));
        setBase(current);
        setTyped(form);
        setErrors(changed);
        return;
      }
      const { product: saved } = outcome;
      const note = stockNote(typed, saved);
      onClose();
      void tellEdit('Updated', {
        products: [saved],
        edit: { saved },
        notes: [`${saved.name}.`, note ?? ''],
      });
    });
  };
  const stepper = 'btn btn-secondary size-12 min-h-12 flex-none px-0 text-xl';
  return (
    <form
      ref={form}
      noValidate
      aria-label={`Price and stock of ${product.name}`}
      className="grid grid-cols-2 items-start gap-3 py-3 sm:grid-cols-[14rem_9rem_9rem_auto]"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {product.sizes.length > 0 ? (
        <div className="field content-start max-sm:col-span-full">
          <span className="field-label">Stock</span>
          <button type="button" className="btn btn-secondary px-3" onClick={onEdit}>
            {product.stock} in {product.sizes.length}{' '}
            {product.sizes.length === 1 ? 'size' : 'sizes'}: change
          </button>
        </div>
      ) : (
        <div className="flex items-end gap-2 max-sm:col-span-full">
          <button type="button" className={stepper} aria-label="One less" onClick={() => step(-1)}>
            −
          </button>
          <Field
            name="stock"
            label="Stock"
            inputMode="numeric"
            autoComplete="off"
            value={typed.stock}
            error={errors.stock}
            onValue={type('stock')}
            className="min-w-0 flex-1"
          />
          <button type="button" className={stepper} aria-label="One more" onClick={() => step(1)}>
            +
          </button>
        </div>
      )}
      <Field
        name="price"
        label="Price (₹)"
        inputMode="decimal"
        autoComplete="off"
        value={typed.price}
        error={errors.price}
        onValue={type('price')}
      />
      <Field
        name="offerPrice"
        label="Offer price (₹)"
        inputMode="decimal"
        autoComplete="off"
        value={typed.offerPrice}
        error={errors.offerPrice}
        onValue={type('offerPrice')}
      />
      <div className="flex gap-2 self-end max-sm:col-span-full">
        <button type="submit" className="btn btn-primary px-5" aria-busy={busy}>
          {busy ? 'Saving…' : 'Save'}
        </button>
        <button type="button" className="btn btn-secondary px-5" onClick={() => busy || onClose()}>
          Close
        </button>
      </div>
      <ActionError error={error} className="col-span-full" />
    </form>
  );
}
