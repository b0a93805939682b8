import { sumOfSizes, type ProductForm } from '#domain/admin/products/product-form.ts';
import { Field } from '#islands/shared/Field.tsx';
import { SelectField } from '#islands/admin/shared/fields/SelectField.tsx';
import { categoryOptions } from '#islands/admin/products/category-options.ts';
import type { BindField } from './product-model.ts';

/** The fields of every product. A new one begins with its name; an edit may be about any of them. */
export function ProductFields({
  bind,
  isNew,
  sizes,
}: {
  bind: BindField;
  isNew: boolean;
  sizes: ProductForm['sizes'];
}) {
  const sum = sumOfSizes(sizes);
  return (
    <div className="grid grid-cols-2 gap-4 md:grid-cols-4 [&_.field-hint]:text-xs/relaxed">
      <Field
        {...bind('name')}
        label="Name"
        required
        {...(isNew ? { 'data-autofocus': true } : {})}
        autoComplete="off"
        className="col-span-full"
      />
      <Field {...bind('price')} label="Price (₹)" required inputMode="decimal" autoComplete="off" />
      <Field
        {...bind('offerPrice')}
        label="Offer price (₹)"
        inputMode="decimal"
        autoComplete="off"
        hint="Below the price; empty for none"
      />
      <SelectField
        {...bind('category')}
        label="Category"
        required
        options={[['', 'Choose…'], ...categoryOptions]}
      />
      {sizes.length > 0 ? (
        <Field
          {...bind('stock')}
          label="Stock"
          readOnly
          value={Number.isNaN(sum) ? '' : String(sum)}
          hint="All sizes together, see below"
        />
      ) : (
        <Field
          {...bind('stock')}
          label="Stock"
          inputMode="numeric"
          autoComplete="off"
          hint="Units to sell; empty is 0"
        />
      )}
      <Field {...bind('description')} label="Description" rows={4} className="col-span-full" />
    </div>
  );
}
