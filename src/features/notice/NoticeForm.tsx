import { useState } from 'react';
import { noticeInputSchema, type NoticeInput } from '#domain/admin/notice.ts';
import { noticeApi } from './domain/notice-api.ts';
import { noticeText } from '#domain/admin/notice.ts';
import { indiaCalendarDay } from '#domain/calendar-day.ts';
import { parseForm } from '#domain/checkout/forms.ts';
import { isoDateInIndia } from '#domain/india-month.ts';
import { callAdmin } from '#services/admin/api.ts';
import { refreshNotice } from '#stores/shop-notice.ts';
import { showToast } from '#stores/toasts.ts';
import { Field } from '#islands/shared/Field.tsx';
import { useForm } from '#islands/shared/use-form.ts';
import { RadioField } from '#islands/admin/shared/fields/RadioField.tsx';
import type { Action } from '#islands/admin/shared/use-action.ts';

const effects = [
  {
    closes: true,
    label: 'Close checkout',
    hint: 'Customers keep their carts. Payments already under way still come in.',
  },
  {
    closes: false,
    label: 'Take orders, and deliver later',
    hint: 'The promised days of delivery become later.',
  },
] as const;

/** A text with its first letter as a capital. */
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

interface NoticeFormProps {
  notice: NoticeInput | null;
  action: Action;
  onSaved: (notice: NoticeInput | null) => void;
}

/** Writes the notice, or takes it away. */
export function NoticeForm({ notice, action, onSaved }: NoticeFormProps) {
  const [today] = useState(() => isoDateInIndia(new Date().toISOString()));
  const { values, errors, ref, bind, change, accept, submit } = useForm<{
    message: string;
    first_day: string;
    last_day: string;
    closes_checkout: boolean | null;
    extra_days: string;
  }>(() => ({
    message: notice?.message ?? '',
    first_day: notice?.first_day ?? today,
    last_day: notice?.last_day ?? '',
    // It is never chosen beforehand, because a text alone must not stop all sales.
    closes_checkout: notice?.closes_checkout ?? null,
    extra_days: notice && notice.extra_days > 0 ? String(notice.extra_days) : '3',
  }));
  const save = (next: NoticeInput | null) =>
    void action.run('Not saved', async () => {
      const { notice: saved } = await (next === null
        ? callAdmin(noticeApi.remove, { body: {} })
        : callAdmin(noticeApi.save, { body: next }));
      onSaved(saved);
      // Pages in the admin's own browser then show it at once.
      void refreshNotice();
      const effect = saved === null ? '' : noticeText(saved, indiaCalendarDay(new Date()));
      showToast(saved === null ? 'Notice removed' : sentence(effect), {
        description: 'Customers see it within a minute.',
        tone: 'success',
      });
    });
  const send = () => {
    const extra_days =
      values.closes_checkout !== false ? 0 : Number(values.extra_days || Number.NaN);
    const accepted = accept(parseForm(noticeInputSchema, { ...values, extra_days }));
    if (accepted) save(accepted);
  };

  return (
    <form
      ref={ref}
      noValidate
      className="mt-2 grid max-w-2xl gap-5"
      aria-label="Holiday notice"
      onSubmit={(event) => void submit(event, send)}
    >
      <Field
        {...bind('message')}
        label="What customers read"
        hint="On every page, such as “We are away for Onam.” The dates and the effect are added automatically."
        rows={2}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field {...bind('first_day')} label="First day" type="date" />
        <Field {...bind('last_day')} label="Last day" type="date" min={today} />
      </div>
      <fieldset className="grid gap-1">
        <legend className="field-label">Until the last day</legend>
        {effects.map(({ closes, label, hint }) => (
          <RadioField
            key={label}
            name="closes_checkout"
            label={label}
            hint={hint}
            checked={values.closes_checkout === closes}
            invalid={errors['closes_checkout'] !== undefined}
            onChoose={() => change({ closes_checkout: closes })}
          />
        ))}
        {errors['closes_checkout'] === undefined ? null : (
          <p className="field-error">{errors['closes_checkout']}</p>
        )}
      </fieldset>
      {values.closes_checkout !== false ? null : (
        <Field
          {...bind('extra_days')}
          label="Business days longer"
          inputMode="numeric"
          className="max-w-48"
        />
      )}
      <div className="flex flex-wrap gap-3">
        <button type="submit" className="btn btn-primary" aria-busy={action.busy}>
          {action.busy ? 'Saving…' : 'Save notice'}
        </button>
        {notice === null ? null : (
          <button type="button" className="btn btn-secondary" onClick={() => save(null)}>
            Take it away
          </button>
        )}
      </div>
    </form>
  );
}
