import { phoneHint, postalCodeHint } from '#domain/checkout/address-hints.ts';
import { Field } from '#islands/shared/Field.tsx';
import type { CustomerForm } from './use-customer-form.ts';

/** Who gets the parcel, and where. A message takes the place of the hint that says the same. */
export function AddressFields({ form }: { form: CustomerForm }) {
  const { values, errors, bind, offeredCity, unfold } = form;
  return (
    <div className="contents" onFocus={unfold}>
      <Field
        {...bind('name')}
        label="Name"
        autoComplete="name"
        required
        className="sm:col-span-2"
      />
      <Field
        {...bind('email')}
        label="Email"
        type="email"
        autoComplete="email"
        inputMode="email"
        required
      />
      <Field
        {...bind('phone')}
        label="Phone"
        type="tel"
        autoComplete="tel"
        inputMode="tel"
        required
        hint={errors['phone'] === undefined ? phoneHint(values.phone) : ''}
      />
      <Field
        {...bind('address')}
        label="Address"
        rows={2}
        autoComplete="street-address"
        required
        className="sm:col-span-2"
      />
      <Field
        {...bind('postalCode')}
        label="Postal Code"
        autoComplete="postal-code"
        inputMode="numeric"
        required
        hint={errors['postalCode'] === undefined ? postalCodeHint(values.postalCode) : ''}
      />
      <Field
        {...bind('city')}
        label="City"
        autoComplete="address-level2"
        required
        hint={
          offeredCity !== '' && values.city === offeredCity
            ? 'From the PIN code. Change it if you like.'
            : ''
        }
      />
    </div>
  );
}
