import { useState } from 'react';
import { discountInputSchema, discountsApi, type ListedDiscount } from './domain/discounts-api.ts';
import { paiseFromText } from '#domain/admin/typed-rupees.ts';
import { parseForm } from '#domain/checkout/forms.ts';
import { isoDateInIndia } from '#domain/india-month.ts';
import { AdminError } from '#services/admin/admin-error.ts';
import { callAdmin } from '#services/admin/api.ts';
import { showToast } from '#stores/toasts.ts';
import { Field } from '#islands/shared/Field.tsx';
import { useForm } from '#islands/shared/use-form.ts';
import { DialogForm } from '#islands/admin/shared/DialogForm.tsx';
import { CheckField } from '#islands/admin/shared/fields/CheckField.tsx';
import { SelectField } from '#islands/admin/shared/fields/SelectField.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';

// The schema refuses text that is no number, in its words.
const wholeOf = (text: string): number => (/^\d+$/u.test(text.trim()) ? Number(text) : Number.NaN);
const paiseOf = (text: string): number => paiseFromText(text) ?? Number.NaN;
const optional = (text: string, read: (text: string) => number): number | null =>
  text.trim() === '' ? null : read(text);

/** Makes a discount code. What orders were sold with stays: a code is stopped, not changed. */
export function DiscountDialog({
  onClose,
  onSaved,
}: {
  onClose: () => void;
  onSaved: (saved: { discounts: ListedDiscount[] }) => void;
}) {
  const [kind, setKind] = useState<'percent' | 'amount_paise'>('percent');
  const form = useForm(() => ({
    code: '',
    percent: '',
    amount_paise: '',
    min_paise: '',
    first_day: isoDateInIndia(new Date().toISOString()),
    last_day: '',
    max_uses: '',
    max_per_customer: '1',
  }));
  const { values: typed, bind } = form;
  const [shown, setShown] = useState(false);
  const action = useAction();
  const submit = () => {
    const parsed = parseForm(discountInputSchema, {
      code: typed.code,
      percent: kind === 'percent' ? wholeOf(typed.percent) : null,
      amount_paise: kind === 'percent' ? null : paiseOf(typed.amount_paise),
      min_paise: optional(typed.min_paise, paiseOf) ?? 0,
      first_day: typed.first_day,
      last_day: typed.last_day,
      max_uses: optional(typed.max_uses, wholeOf),
      max_per_customer: optional(typed.max_per_customer, wholeOf),
      shown_in_cart: shown,
    });
    const discount = form.accept(parsed);
    if (!discount) return;
    void action.run('Not saved', async () => {
      try {
        onSaved(await callAdmin(discountsApi.create, { body: discount }));
        showToast(`${discount.code} is ready`, { tone: 'success' });
      } catch (error) {
        if (error instanceof AdminError && error.fields['code'])
          form.refuse({ code: error.fields['code'] });
        else throw error;
      }
    });
  };
  return (
    <DialogForm
      title="New discount code"
      action={action}
      submitText="Make the code"
      busyText="Saving…"
      className="max-w-narrow"
      fieldsClassName="sm:grid-cols-2"
      form={form.ref}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field
        {...bind('code')}
        label="Code"
        hint="4 to 20 letters, digits and hyphens, such as ONAM10."
        autoCapitalize="characters"
        spellCheck={false}
        className="sm:col-span-2"
        data-autofocus
      />
      <SelectField
        label="Takes off"
        value={kind}
        options={[
          ['percent', 'Per cent'],
          ['amount_paise', 'Rupees'],
        ]}
        onValue={setKind}
      />
      {kind === 'percent' ? (
        <Field {...bind('percent')} label="How many per cent" inputMode="numeric" />
      ) : (
        <Field {...bind('amount_paise')} label="How many rupees" inputMode="decimal" />
      )}
      <Field
        {...bind('min_paise')}
        label="For carts from (₹, optional)"
        inputMode="decimal"
        className="sm:col-span-2"
      />
      <Field {...bind('first_day')} label="First day" type="date" />
      <Field {...bind('last_day')} label="Last day" type="date" />
      <Field
        {...bind('max_uses')}
        label="Uses in all"
        hint="Empty: no limit."
        inputMode="numeric"
      />
      <Field
        {...bind('max_per_customer')}
        label="Uses by one customer"
        hint="Empty: no limit."
        inputMode="numeric"
      />
      <div className="sm:col-span-2">
        <CheckField label="Show it to everybody in the cart" checked={shown} onChecked={setShown} />
      </div>
    </DialogForm>
  );
}
