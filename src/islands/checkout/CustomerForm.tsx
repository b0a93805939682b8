import { useId, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { addressQuestions, type AskableDetail } from '#domain/checkout/address-hints.ts';
import {
  customerDetailsSchema,
  parseForm,
  type ConfirmedDetails,
  type CustomerDetails,
} from '#domain/checkout/forms.ts';
import { taxStanding } from '#domain/tax-standing.ts';
import type { CartSummary } from '#domain/cart/cart-summary.ts';
import { formatRupees } from '#domain/money.ts';
import type { User } from '#domain/account/session.ts';
import { BusyButton } from '#islands/shared/BusyButton.tsx';
import { DialogFoot } from '#islands/shared/DialogFoot.tsx';
import { Field } from '#islands/shared/Field.tsx';
import { FormRefusal } from '#islands/shared/FormRefusal.tsx';
import { AddressFields } from './AddressFields.tsx';
import { GiftFields } from './GiftFields.tsx';
import { useCustomerForm } from './use-customer-form.ts';

interface CustomerFormProps {
  user: User;
  /** Whether the dialog is on screen. */
  active: boolean;
  busy: boolean;
  /** The customer closed the payment window. */
  isCancelled: boolean;
  /** The payment is made and being confirmed: nothing is left to press. */
  isPaid: boolean;
  onDetails: (details: ConfirmedDetails) => void;
  summary: Pick<CartSummary, 'total' | 'cash'>;
  /** The texts of the button, and while it is busy. */
  texts: { submit: string; busy: string };
  /** The ways to pay, where there is more than one. It stands below the address, so that a phone shows it without scrolling. */
  choice: (values: CustomerDetails) => ReactNode;
}

const askedDetails = new Map<string, AskableDetail>([
  ['phone', 'phone'],
  ['postalCode', 'postal_code'],
]);

/** Contact and delivery details of an order (spec section 5). */
export function CustomerForm({
  user,
  active,
  busy,
  isCancelled,
  isPaid,
  onDetails,
  summary,
  texts,
  choice,
}: CustomerFormProps) {
  const form = useCustomerForm(user, active);
  const { values, ref, bind, accept, ask, isRefused, submit } = form;
  // With an advance the button names what is paid now, and the line beside it the rest.
  const atDoor =
    summary.cash !== null && summary.cash.due < summary.total ? summary.cash.due : null;
  const formId = useId();
  const [business, setBusiness] = useState(false);

  const send = async () => {
    if (busy) return;
    const details = accept(parseForm(customerDetailsSchema, values));
    if (details === null) return;
    const asked = ask({ ...addressQuestions(details), city: await form.askAboutCity(details) });
    if (asked === null) return;
    onDetails({
      ...details,
      askedAbout: asked.flatMap((field) => askedDetails.get(field) ?? []),
    });
  };
  const change = () => {
    flushSync(form.unfold);
    ref.current?.querySelector('input')?.focus();
  };

  return (
    <form
      id={formId}
      ref={ref}
      noValidate
      className="mt-5 grid gap-5 sm:grid-cols-2"
      onSubmit={(event) => void submit(event, send)}
    >
      {form.isFolded ? (
        <p className="border-y border-line py-3 wrap-anywhere sm:col-span-2">
          <span className="font-medium">Deliver to:</span>{' '}
          {[values.name, values.address, `${values.city} ${values.postalCode}`].join(', ')},{' '}
          <span className="whitespace-nowrap">{values.phone}</span>{' '}
          <button type="button" className="link -my-2.5 py-2.5" onClick={change}>
            Change<span className="visually-hidden"> the address</span>
          </button>
        </p>
      ) : (
        <AddressFields form={form} />
      )}
      {choice(values)}
      <GiftFields form={form} />
      <Field {...bind('notes')} label="Notes (optional)" rows={2} className="sm:col-span-2" />
      {taxStanding().collectsTax ? (
        <details
          className="sm:col-span-2"
          open={business || values.gstin !== ''}
          onToggle={(event) => {
            setBusiness(event.currentTarget.open);
          }}
        >
          <summary className="link inline-block py-2.5 text-ink-700">
            Buying for a business?
          </summary>
          <Field
            {...bind('gstin')}
            label="GSTIN (optional)"
            autoComplete="off"
            hint="Printed on the invoice."
            className="mt-2"
          />
        </details>
      ) : null}
      {isPaid ? null : (
        <DialogFoot>
          {isRefused ? <FormRefusal /> : null}
          {isCancelled ? (
            <p className="basis-full text-sm">No money was taken, and your details are kept.</p>
          ) : null}
          {/* Screen readers find the total in the line above. */}
          <p className="mr-auto text-sm/tight text-ink-500" aria-hidden="true">
            {atDoor === null ? 'Total' : 'At the door'}{' '}
            <span className="price text-lg/tight text-ink-900">
              {formatRupees(atDoor ?? summary.total)}
            </span>
          </p>
          <BusyButton
            form={formId}
            busy={busy}
            busyText={texts.busy}
            className="btn btn-primary max-sm:flex-[1_1_0]"
          >
            {texts.submit}
          </BusyButton>
        </DialogFoot>
      )}
    </form>
  );
}
