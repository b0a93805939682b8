import { useRef, useState } from 'react';
import { noticeInputSchema, type NoticeInput } from '../../../domain/admin/notice-input.ts';
import { parseForm, type FieldErrors } from '../../../domain/checkout/forms.ts';
import { isoDateInIndia } from '../../../domain/india-month.ts';
import { saveNotice } from '../../../services/admin/catalogue/notice.ts';
import { showToast } from '../../../stores/toasts.ts';
import { Field } from '../../shared/Field.tsx';
import { focusFirstError } from '../../shared/focus-field.ts';
import { ActionError } from '../shared/ActionError.tsx';
import { RadioField } from '../shared/RadioField.tsx';
import { useAction } from '../shared/use-action.ts';

const effects = [
  {
    closes: true,
    label: 'Close checkout',
    hint: 'Shoppers keep their carts. Payments already under way still come in.',
  },
  {
    closes: false,
    label: 'Take orders, and deliver later',
    hint: 'The promised days of delivery become later.',
  },
] as const;
const fields = ['message', 'first_day', 'last_day', 'extra_days'];

interface NoticeFormProps {
  notice: NoticeInput | null;
  onSaved: (notice: NoticeInput | null) => void;
}

/** Writes the notice, or takes it away. */
export function NoticeForm({ notice, onSaved }: NoticeFormProps) {
  const [today] = useState(() => isoDateInIndia(new Date().toISOString()));
  const [typed, setTyped] = useState({
    message: notice?.message ?? '',
    first_day: notice?.first_day ?? today,
    last_day: notice?.last_day ?? '',
    closes_checkout: notice?.closes_checkout ?? true,
    extra_days: notice && notice.extra_days > 0 ? String(notice.extra_days) : '3',
  });
  const [errors, setErrors] = useState<FieldErrors<NoticeInput>>({});
  const form = useRef<HTMLFormElement>(null);
  const action = useAction();
  const change = (values: Partial<typeof typed>) => {
    setTyped((before) => ({ ...before, ...values }));
    setErrors({});
  };
  const save = (next: NoticeInput | null, done: string) =>
    void action.run('Not saved', async () => {
      onSaved(await saveNotice(next));
      showToast(done, { description: 'Shoppers see it within a minute.', tone: 'success' });
    });
  const submit = () => {
    const extra_days = typed.closes_checkout ? 0 : Number(typed.extra_days || Number.NaN);
    const parsed = parseForm(noticeInputSchema, { ...typed, extra_days });
    if (parsed.ok) save(parsed.values, 'Notice saved');
    else {
      setErrors(parsed.errors);
      focusFirstError(form.current, fields, parsed.errors);
    }
  };

  return (
    <form
      ref={form}
      noValidate
      className="mt-2 grid max-w-2xl gap-5"
      aria-label="Holiday notice"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field
        name="message"
        label="What shoppers read"
        hint="On every page, such as “We are away for Onam.” What happens until when is added by itself."
        rows={2}
        value={typed.message}
        error={errors.message}
        onValue={(message) => change({ message })}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          name="first_day"
          label="First day"
          type="date"
          value={typed.first_day}
          error={errors.first_day}
          onValue={(first_day) => change({ first_day })}
        />
        <Field
          name="last_day"
          label="Last day"
          type="date"
          min={today}
          value={typed.last_day}
          error={errors.last_day}
          onValue={(last_day) => change({ last_day })}
        />
      </div>
      <fieldset className="grid gap-1">
        <legend className="field-label">Until the last day</legend>
        {effects.map(({ closes, label, hint }) => (
          <RadioField
            key={label}
            name="closes_checkout"
            label={label}
            hint={hint}
            checked={typed.closes_checkout === closes}
            onChoose={() => change({ closes_checkout: closes })}
          />
        ))}
      </fieldset>
      {typed.closes_checkout ? null : (
        <Field
          name="extra_days"
          label="Business days longer"
          inputMode="numeric"
          className="max-w-48"
          value={typed.extra_days}
          error={errors.extra_days}
          onValue={(extra_days) => change({ extra_days })}
        />
      )}
      <ActionError error={action.error} />
      <div className="flex flex-wrap gap-3">
        <button type="submit" className="btn btn-primary" aria-busy={action.busy}>
          {action.busy ? 'Saving…' : 'Save notice'}
        </button>
        {notice === null ? null : (
          <button
            type="button"
            className="btn btn-secondary"
            onClick={() => save(null, 'Notice removed')}
          >
            Take it away
          </button>
        )}
      </div>
    </form>
  );
}
