import { Field } from '../../../shared/Field.tsx';
import { CheckField } from '../../shared/CheckField.tsx';
import type { BuyerField, NewOrderDraft } from './use-new-order.ts';

const contact = [
  ['name', 'Name', {}],
  ['phone', 'Phone', { inputMode: 'tel' }],
  [
    'email',
    'E-mail (optional)',
    {
      inputMode: 'email',
      hint: 'For the confirmation and later mails. Without it the customer hears only from you.',
    },
  ],
] as const;
const delivery = [
  ['address', 'Address', { rows: 3 }],
  ['city', 'City', {}],
  ['postalCode', 'Postal Code', { inputMode: 'numeric' }],
] as const;

/** Who buys, and where it goes. */
export function BuyerFields({ draft: { typed, errors, change } }: { draft: NewOrderDraft }) {
  const field = ([name, label, input]: readonly [
    BuyerField,
    string,
    { rows?: number; inputMode?: 'tel' | 'email' | 'numeric'; hint?: string },
  ]) => (
    <Field
      key={name}
      name={name}
      label={label}
      value={typed[name]}
      error={errors[name]}
      autoComplete="off"
      {...input}
      onValue={(value) => {
        change({ [name]: value });
      }}
    />
  );
  return (
    <>
      {contact.map(field)}
      <CheckField
        label="Handed over: nothing is sent"
        checked={typed.handOver}
        onChecked={(handOver) => {
          change({ handOver });
        }}
      />
      {typed.handOver ? null : delivery.map(field)}
      {field(['notes', 'Notes (optional)', { rows: 2 }])}
    </>
  );
}
