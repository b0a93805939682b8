import { useState } from 'react';
import { formatRupees } from '#domain/money.ts';
import { editProducts, priceChangeFromText, type PriceChange } from './domain/several-edits.ts';
import { Field } from '#islands/shared/Field.tsx';
import { ModalDialog } from '#islands/shared/ModalDialog.tsx';
import { SelectField } from '#islands/admin/shared/fields/SelectField.tsx';
import { Problems, type SeveralDialogProps } from './SeveralDialogs.tsx';
import { productCount } from '#domain/admin/products/product-form.ts';

/** Another price for all of them, by a share or an amount, with what it comes to before it is saved. */
export function PriceDialog({ several, products, onClose }: SeveralDialogProps) {
  const [direction, setDirection] = useState<'up' | 'down'>('up');
  const [by, setBy] = useState<PriceChange['by']>('percent');
  const [text, setText] = useState('');
  const price = priceChangeFromText(by, direction, text);
  const wrong = text.trim() !== '' && price === null;
  const { edited, faults } = price ? editProducts(products, { price }) : { edited: [], faults: [] };
  return (
    <ModalDialog
      open
      title={`Price of ${productCount(products.length)}`}
      closable={!several.busy}
      onClose={onClose}
      className="max-w-narrow"
    >
      <form
        noValidate
        className="mt-4 grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (price)
            void several.edit(products, { price }).then((done) => {
              if (done) onClose();
            });
        }}
      >
        <div className="grid grid-cols-2 gap-3">
          <SelectField
            label="Change"
            value={direction}
            options={[
              ['up', 'Raise'],
              ['down', 'Lower'],
            ]}
            onValue={setDirection}
          />
          <SelectField
            label="By"
            value={by}
            options={[
              ['percent', 'Per cent'],
              ['amount', 'Rupees each'],
            ]}
            onValue={setBy}
          />
        </div>
        <Field
          name="by"
          label={by === 'percent' ? 'How many per cent' : 'How many rupees'}
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
          value={text}
          onValue={setText}
          {...(wrong
            ? {
                error:
                  by === 'percent'
                    ? 'Type a share such as 10 or 12.5, up to 100 to lower and 1,000 to raise.'
                    : 'Type an amount in rupees, with two decimals at most.',
              }
            : { hint: 'Offer prices change alike. Everything is rounded to whole rupees.' })}
        />
        {edited.length === 0 ? null : (
          <ul className="border-y border-line text-sm/relaxed" aria-label="Result">
            {edited.slice(0, 4).map(({ id: product, before, product: after }) => (
              <li key={product} className="border-b border-line py-1.5 wrap-anywhere last:border-0">
                {before.name}
                <span className="block text-ink-500">
                  {formatRupees(before.price)} →{' '}
                  <b className="font-medium text-ink-900">{formatRupees(after.price)}</b>
                  {before.offerPrice === null || after.offerPrice === null
                    ? null
                    : `, offer ${formatRupees(before.offerPrice)} → ${formatRupees(after.offerPrice)}`}
                </span>
              </li>
            ))}
            {edited.length > 4 ? (
              <li className="py-1.5 text-ink-500">And {edited.length - 4} more.</li>
            ) : null}
          </ul>
        )}
        {faults.length === 0 ? null : (
          <p className="notice notice-danger wrap-anywhere" role="alert">
            Some of them cannot be changed:{' '}
            {faults
              .slice(0, 4)
              .map(({ name, message }) => `${name} (${message})`)
              .join(', ')}
            {faults.length > 4 ? ` and ${String(faults.length - 4)} more` : ''}.
          </p>
        )}
        <Problems several={several} />
        <button
          type="submit"
          className="btn btn-primary aria-disabled:opacity-50"
          aria-busy={several.busy}
          aria-disabled={price === null || faults.length > 0 || edited.length === 0}
        >
          {several.busy
            ? 'Saving…'
            : edited.length === 0
              ? 'Change the prices'
              : `Change ${productCount(edited.length)}`}
        </button>
      </form>
    </ModalDialog>
  );
}
