import { Field } from '#islands/shared/Field.tsx';
import { CheckField } from '#islands/admin/shared/fields/CheckField.tsx';
import type { NewOrderDraft } from './use-new-order.ts';

const email = [
  'email',
  'E-mail (optional)',
  {
    inputMode: 'email',
    hint: 'For the confirmation and later mails. Without it the customer hears only from you.',
  },
] as const;
const delivery = [
  ['address', 'Address', { rows: 3 }],
  ['city', 'City', {}],
  ['postalCode', 'Postal Code', { inputMode: 'numeric' }],
] as const;

/** The customer and the address. */
export function CustomerFields({ draft: { values, bind, change } }: { draft: NewOrderDraft }) {
  const field = ([name, label, input]: readonly [
    Parameters<typeof bind>[0],
    string,
    { rows?: number; inputMode?: 'tel' | 'email' | 'numeric'; hint?: string },
  ]) => <Field key={name} {...bind(name)} label={label} {...input} />;
  return (
    <>
      {field(['name', 'Name', {}])}
      {field([
        'phone',
        values.handOver && values.by !== 'link' ? 'Phone (optional)' : 'Phone',
        { inputMode: 'tel' },
      ])}
      {field(email)}
      <CheckField
        label="Handed over: nothing is sent"
        checked={values.handOver}
        onChecked={(handOver) => change({ handOver })}
      />
      {values.handOver ? null : delivery.map(field)}
      {field(['notes', 'Notes (optional)', { rows: 2 }])}
    </>
  );
}
