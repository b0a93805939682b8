import { useState, type ReactNode } from 'react';
import { phoneHint, postalCodeHint } from '../../domain/checkout/address-hints.ts';
import {
  customerDetailsSchema,
  parseForm,
  type CustomerDetails,
} from '../../domain/checkout/forms.ts';
import { formatRupees, type Paise } from '../../domain/money.ts';
import type { User } from '../../domain/account/session.ts';
import { showFlowToast } from '../../stores/flow-toasts.ts';
import { BusyButton } from '../shared/BusyButton.tsx';
import { Field } from '../shared/Field.tsx';
import { useCustomerForm } from './use-customer-form.ts';

interface CustomerFormProps {
  user: User;
  /** Whether the dialog is on screen. */
  active: boolean;
  busy: boolean;
  onDetails: (details: CustomerDetails) => void;
  /** The amount to pay. */
  total: Paise;
  /** The items and the sum that leads to the total, between the fields and the button. */
  children: ReactNode;
}

/** Contact and delivery details of an order (spec section 5). */
export function CustomerForm({
  user,
  active,
  busy,
  onDetails,
  total,
  children,
}: CustomerFormProps) {
  const { values, ref, offeredCity, bind, accept, submit } = useCustomerForm(user, active);
  const [gift, setGift] = useState(false);
  const [business, setBusiness] = useState(false);

  const send = () => {
    if (busy) return;
    const details = accept(parseForm(customerDetailsSchema, values));
    if (details) onDetails(details);
    else
      showFlowToast('checkout', 'Validation Error', {
        description: 'Please correct the highlighted fields.',
        tone: 'destructive',
      });
  };

  return (
    <form
      ref={ref}
      noValidate
      className="mt-6 grid gap-5 sm:grid-cols-2 [&_:is(input,textarea,summary)]:scroll-mb-28"
      onSubmit={(event) => void submit(event, send)}
    >
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
        hint={phoneHint(values.phone)}
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
        hint={postalCodeHint(values.postalCode)}
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
      <Field {...bind('notes')} label="Notes (optional)" rows={2} className="sm:col-span-2" />
      <details
        className="sm:col-span-2"
        open={gift || values.giftNote !== ''}
        onToggle={(event) => {
          setGift(event.currentTarget.open);
        }}
      >
        <summary className="link inline-block py-2.5 text-ink-700">Is this a gift?</summary>
        <Field
          {...bind('giftNote')}
          label="Gift note (optional)"
          rows={2}
          hint="Printed on the slip in the parcel, which has no prices. Up to 200 characters."
          className="mt-2 [&_textarea]:field-sizing-content [&_textarea]:min-h-20"
        />
      </details>
      <details
        className="sm:col-span-2"
        open={business || values.gstin !== ''}
        onToggle={(event) => {
          setBusiness(event.currentTarget.open);
        }}
      >
        <summary className="link inline-block py-2.5 text-ink-700">Buying for a business?</summary>
        <Field
          {...bind('gstin')}
          label="GSTIN (optional)"
          autoComplete="off"
          hint="Printed on the invoice."
          className="mt-2"
        />
      </details>
      <div className="grid gap-5 sm:col-span-2">{children}</div>
      <div className="sticky -bottom-5 z-1 -mx-5 -mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line bg-paper px-5 py-3 sm:-bottom-8 sm:col-span-2 sm:-mx-8 sm:-mb-8 sm:px-8 sm:py-4">
        {/* Screen readers find the total in the summary above. */}
        <p aria-hidden="true">
          Total <span className="text-xl font-medium text-ink-900">{formatRupees(total)}</span>
        </p>
        <BusyButton busy={busy} busyText="Opening payment…">
          Proceed to Payment
        </BusyButton>
      </div>
    </form>
  );
}
