import { useRef, useState } from 'react';
import { discountInputSchema, type DiscountInput, type ListedDiscount } from '../../../domain/admin/discount-input.ts';
import { paiseFromText } from '../../../domain/admin/typed-rupees.ts';
import { parseForm, type FieldErrors } from '../../../domain/checkout/forms.ts';
import { isoDateInIndia } from '../../../domain/india-month.ts';
import { AdminError } from '../../../services/admin/api.ts';
import { createDiscount } from '../../../services/admin/discounts.ts';
import { showToast } from '../../../stores/toasts.ts';
import { Field } from '../../shared/Field.tsx';
import { focusFirstError } from '../../shared/focus-field.ts';
import { ModalDialog } from '../../shared/ModalDialog.tsx';
import { ActionError } from '../shared/ActionError.tsx';
import { useAction } from '../shared/use-action.ts';

const fields = ['code', 'percent', 'amount_paise', 'min_paise', 'first_day', 'last_day', 'max_uses', 'max_per_shopper'] as const;
type Typed = Record<(typeof fields)[number], string>;

// What is no number is refused by the schema, in its words.
const wholeOf = (text: string): number => (/^\d+$/u.test(text.trim()) ? Number(text) : Number.NaN);
const paiseOf = (text: string): number => paiseFromText(text) ?? Number.NaN;
const optional = (text: string, read: (text: string) => number): number | null => (text.trim() === '' ? null : read(text));

/** Makes a discount code. What orders were sold with stays: a code is stopped, not changed. */
export function DiscountDialog({ onClose, onSaved }: { onClose: () => void; onSaved: (discounts: ListedDiscount[]) => void }) {
  const [kind, setKind] = useState<'percent' | 'amount_paise'>('percent');
  const [typed, setTyped] = useState<Typed>(() => ({
    ...{ code: '', percent: '', amount_paise: '', min_paise: '', max_uses: '', max_per_shopper: '1' },
    ...{ first_day: isoDateInIndia(new Date().toISOString()), last_day: '' },
  }));
  const [errors, setErrors] = useState<FieldErrors<DiscountInput>>({});
  const form = useRef<HTMLFormElement>(null);
  const action = useAction();
  const refuse = (found: FieldErrors<DiscountInput>) => {
    setErrors(found);
    focusFirstError(form.current, fields, found);
  };
  const submit = () => {
    const parsed = parseForm(discountInputSchema, {
      code: typed.code,
      percent: kind === 'percent' ? wholeOf(typed.percent) : null,
      amount_paise: kind === 'percent' ? null : paiseOf(typed.amount_paise),
      min_paise: optional(typed.min_paise, paiseOf) ?? 0,
      first_day: typed.first_day,
      last_day: typed.last_day,
      max_uses: optional(typed.max_uses, wholeOf),
      max_per_shopper: optional(typed.max_per_shopper, wholeOf),
    });
    if (!parsed.ok) {
      refuse(parsed.errors);
      return;
    }
    void action.run('Not saved', async () => {
      try {
        onSaved(await createDiscount(parsed.values));
        showToast(`${parsed.values.code} is ready`, { tone: 'success' });
      } catch (error) {
        if (error instanceof AdminError && error.fields['code']) refuse({ code: error.fields['code'] });
        else throw error;
      }
    });
  };
  const bind = (name: keyof Typed) => ({
    ...{ name, value: typed[name], error: errors[name], autoComplete: 'off' },
    onValue: (value: string) => {
      setTyped((before) => ({ ...before, [name]: value }));
      setErrors({});
    },
  });
  return (
    <ModalDialog open title="New discount code" closable={!action.busy} onClose={onClose} className="max-w-narrow">
      <form
        ref={form}
        noValidate
        className="mt-4 grid gap-5 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field {...bind('code')} label="Code" hint="4 to 20 letters, digits and hyphens, such as ONAM10." autoCapitalize="characters" spellCheck={false} className="sm:col-span-2" data-autofocus />
        <label className="field content-start">
          <span className="field-label">Takes off</span>
          <select className="field-input" value={kind} onChange={(event) => setKind(event.currentTarget.value === 'percent' ? 'percent' : 'amount_paise')}>
            <option value="percent">Per cent</option>
            <option value="amount_paise">Rupees</option>
          </select>
        </label>
        {kind === 'percent' ? (
          <Field {...bind('percent')} label="How many per cent" inputMode="numeric" />
        ) : (
          <Field {...bind('amount_paise')} label="How many rupees" inputMode="decimal" />
        )}
        <Field {...bind('min_paise')} label="For carts from (₹, optional)" inputMode="decimal" className="sm:col-span-2" />
        <Field {...bind('first_day')} label="First day" type="date" />
        <Field {...bind('last_day')} label="Last day" type="date" />
        <Field {...bind('max_uses')} label="Uses in all" hint="Empty: as many as come." inputMode="numeric" />
        <Field {...bind('max_per_shopper')} label="Uses by one shopper" hint="Empty: as many as they like." inputMode="numeric" />
        <div className="grid gap-3 sm:col-span-2">
          <ActionError error={action.error} />
          <button type="submit" className="btn btn-primary" aria-busy={action.busy}>
            {action.busy ? 'Saving…' : 'Make the code'}
          </button>
        </div>
      </form>
    </ModalDialog>
  );
}
