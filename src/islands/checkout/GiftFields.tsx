import { useState } from 'react';
import { Field } from '#islands/shared/Field.tsx';
import type { CustomerForm } from './use-customer-form.ts';

/** The fields of a gift: who gets it, when it goes to somebody else, and a note for them. */
export function GiftFields({ form: { values, errors, bind } }: { form: CustomerForm }) {
  const [isOpen, setOpen] = useState(false);
  const fields = ['giftNote', 'recipientName', 'recipientPhone'] as const;
  const isUsed = fields.some((name) => values[name] !== '' || errors[name] !== undefined);
  return (
    <details
      className="sm:col-span-2"
      open={isOpen || isUsed}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary className="link inline-block py-2.5 text-ink-700">Is this a gift?</summary>
      <div className="mt-2 grid gap-5 sm:grid-cols-2">
        <Field
          {...bind('recipientName')}
          label="Recipient’s name (optional)"
          autoComplete="off"
          hint="If it goes straight to them, write their address above."
        />
        <Field
          {...bind('recipientPhone')}
          label="Recipient’s phone (optional)"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          hint="The courier calls this number, not yours."
        />
        <Field
          {...bind('giftNote')}
          label="Gift note (optional)"
          rows={2}
          hint="Printed on the slip in the parcel, which has no prices. Up to 200 characters."
          className="sm:col-span-2 [&_textarea]:field-sizing-content [&_textarea]:min-h-20"
        />
      </div>
    </details>
  );
}
