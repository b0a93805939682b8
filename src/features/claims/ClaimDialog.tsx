import { useState } from 'react';
import {
  claimAnswerSchema,
  claimsApi,
  type AdminClaim,
  type ClaimAnswer,
} from './domain/claims-api.ts';
import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { itemsOf } from '#domain/admin/orders/refund-draft.ts';
import { parseForm } from '#domain/checkout/forms.ts';
import { paiseFromText, rupeeText } from '#domain/admin/typed-rupees.ts';
import { formatRupees } from '#domain/money.ts';
import { callAdmin } from '#services/admin/api.ts';
import { showToast } from '#stores/toasts.ts';
import { Field } from '#islands/shared/Field.tsx';
import { useForm } from '#islands/shared/use-form.ts';
import { DialogForm } from '#islands/admin/shared/DialogForm.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { RestockStepper } from '#islands/admin/orders/dialogs/RestockStepper.tsx';

interface ClaimDialogProps {
  order: AdminOrder;
  claim: AdminClaim;
  onClose: () => void;
  onDone: (order: AdminOrder) => void;
  /** Called when nobody knows whether the answer was taken. */
  onUnknownOutcome: () => void;
}

const answers = [
  ['refund', 'Refund', 'Refund…'],
  ['replacement', 'Replacement', 'Send a replacement'],
  ['declined', 'Decline', 'Decline'],
] as const;

/** Why nothing can be refunded, and what the admin does instead. */
const whyNoRefund = ({ cash }: AdminOrder): string =>
  cash?.state === 'due'
    ? `No refund yet: the ${formatRupees(cash.due)} of this order is not recorded. If the customer paid the courier, press “The cash is here” on the order, then refund. The courier’s list finds it recorded later. Or send a replacement.`
    : 'No refund: nothing of this order’s payment is left to send back.';

/** The answer to a claim: money back, a free order, or why not. The customer gets it by e-mail. */
export function ClaimDialog({ order, claim, onClose, onDone, onUnknownOutcome }: ClaimDialogProps) {
  const canRefund = order.refundablePaise > 0;
  const form = useForm(() => ({
    answer: (canRefund ? 'refund' : 'replacement') as ClaimAnswer['answer'],
    amountPaise: rupeeText(order.refundablePaise),
    // Most orders have one line, of which all is replaced.
    items: order.items.map(({ quantity }) => (order.items.length === 1 ? quantity : 0)),
    reason: '',
  }));
  const { answer, items: quantities, reason } = form.values;
  const [key] = useState(() => crypto.randomUUID());
  const action = useAction();

  const items = itemsOf(
    order,
    quantities.map((quantity) => ({ quantity, restock: false })),
  );
  const amountPaise = paiseFromText(form.values.amountPaise);

  const submit = async () => {
    const request = form.accept(
      parseForm(claimAnswerSchema, {
        claimId: claim.id,
        key,
        answer,
        reason,
        ...(answer === 'refund' ? { amountPaise: amountPaise ?? Number.NaN } : {}),
        ...(answer === 'replacement' ? { items } : {}),
      }),
    );
    if (!request) return;
    const sent = await action.run('The report was not answered', async () => {
      const answered = await callAdmin(claimsApi.answer, {
        params: { id: order.id },
        body: request,
      });
      onDone(answered.order);
      showToast('The report is answered', {
        description: 'The customer gets your answer by e-mail.',
        tone: 'success',
      });
    });
    if (!sent) onUnknownOutcome();
  };

  const submitText =
    answer === 'refund' && amountPaise !== null
      ? `Refund ${formatRupees(amountPaise)}`
      : (answers.find(([name]) => name === answer)?.[2] ?? '');
  return (
    <DialogForm
      title="Answer the report"
      action={action}
      submitText={submitText}
      busyText="Sending…"
      danger={answer === 'refund'}
      form={form.ref}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <fieldset className="grid gap-1">
        <legend className="field-label">What do you do?</legend>
        {answers.map(([name, label]) => (
          <label key={name} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              className="size-4 accent-brand-700"
              name="answer"
              checked={answer === name}
              disabled={name === 'refund' && !canRefund}
              onChange={() => form.change({ answer: name })}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {canRefund ? null : <p className="field-hint">{whyNoRefund(order)}</p>}
      {answer === 'refund' ? (
        <Field
          {...form.bind('amountPaise')}
          label="Amount in rupees"
          inputMode="decimal"
          required
          hint={`${formatRupees(order.refundablePaise)} can still go back.`}
        />
      ) : null}
      {answer === 'replacement' ? (
        <div role="group" aria-label="What is replaced">
          <ul>
            {order.items.map((item, index) => (
              <li
                key={`${String(index)}-${item.name}`}
                className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-3"
              >
                <span className="min-w-32 flex-1 break-words">{item.name}</span>
                <RestockStepper
                  label={`Pieces of ${item.name}`}
                  value={quantities[index] ?? 0}
                  max={item.quantity}
                  onValue={(quantity) =>
                    form.change({
                      items: quantities.map((old, at) => (at === index ? quantity : old)),
                    })
                  }
                />
              </li>
            ))}
          </ul>
          <p className="field-hint">
            A free order of its own, which you pack and send like any other. Its stock is taken now.
          </p>
          {form.errors['items'] === undefined ? null : (
            <p className="field-error" role="alert">
              {form.errors['items']}
            </p>
          )}
        </div>
      ) : null}
      <Field
        {...form.bind('reason')}
        label={answer === 'declined' ? 'Reason' : 'Message to the customer (optional)'}
        maxLength={200}
        required={answer === 'declined'}
      />
    </DialogForm>
  );
}
