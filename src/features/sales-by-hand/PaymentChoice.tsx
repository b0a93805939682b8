import { linkHours } from './domain/new-order.ts';
import { Field } from '#islands/shared/Field.tsx';
import { RadioField } from '#islands/admin/shared/fields/RadioField.tsx';
import type { NewOrderDraft, WayOfPayment } from './use-new-order.ts';

const ways: readonly { by: WayOfPayment; label: string; hint: string }[] = [
  {
    by: 'link',
    label: 'By a payment link',
    hint: 'You send the customer a link. The products are held until it is paid or expires.',
  },
  {
    by: 'cash',
    label: 'Paid in cash',
    hint: 'Without the platform fee. You pay refunds yourself.',
  },
  { by: 'upi', label: 'Paid by UPI, straight to you', hint: 'As with cash.' },
  { by: 'bank', label: 'Paid by bank transfer', hint: 'As with cash.' },
];

/** How it is paid. By hand there is no platform fee, and refunds are paid back by hand. */
export function PaymentChoice({ draft: { values, bind, change } }: { draft: NewOrderDraft }) {
  return (
    <>
      {ways.map(({ by, label, hint }) => (
        <RadioField
          key={by}
          name="by"
          label={label}
          hint={hint}
          checked={values.by === by}
          onChoose={() => change({ by })}
        />
      ))}
      {values.by === 'link' ? (
        <Field
          {...bind('hours')}
          label="Hold the products for (hours)"
          inputMode="numeric"
          className="max-w-72"
          hint={`${String(linkHours.min)} to ${String(linkHours.max)}: a week at most`}
        />
      ) : (
        <Field
          {...bind('reference')}
          label="Your reference (optional)"
          hint="Such as the number of the transfer or of your receipt."
        />
      )}
    </>
  );
}
