import { useRef, useState } from 'react';
import { changedDetails, orderDetailLabels, orderDetails, orderDetailsSchema, type OrderDetail } from '../../../../domain/admin/orders/order-details.ts';
import { changeDetails } from '../../../../services/admin/orders.ts';
import { showToast } from '../../../../stores/toasts.ts';
import { Field } from '../../../shared/Field.tsx';
import { focusFirstError } from '../../../shared/focus-field.ts';
import { ModalDialog } from '../../../shared/ModalDialog.tsx';
import { ActionError } from '../../shared/ActionError.tsx';
import { useAction } from '../../shared/use-action.ts';
import type { OrderDialogProps } from './order-dialog-props.ts';

const inputs: Readonly<Record<OrderDetail, { rows?: number; inputMode?: 'tel' | 'numeric'; hint?: string }>> = {
  name: {},
  phone: { inputMode: 'tel' },
  address: { rows: 3 },
  city: {},
  postalCode: { inputMode: 'numeric' },
  gstin: { hint: 'For an invoice to a business. Leave it empty for everyone else.' },
  adminNote: { rows: 4 },
};

type Errors = Partial<Record<OrderDetail, string>>;

/** The first message of each field. */
function messages(issues: readonly { path: PropertyKey[]; message: string }[]): Errors {
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) errors[String(path[0])] ??= message;
  return errors;
}

interface DetailsDialogProps extends OrderDialogProps {
  title: string;
  hint: string;
  fields: readonly OrderDetail[];
}

/** Corrects some of an order's details. Each change is kept in the order's history with the old value. */
export function DetailsDialog({ order, open, title, hint, fields, onClose, onDone, onUnknownOutcome }: DetailsDialogProps) {
  const [typed, setTyped] = useState(() => orderDetails(order));
  const [errors, setErrors] = useState<Errors>({});
  const form = useRef<HTMLFormElement>(null);
  const action = useAction();

  const submit = async () => {
    const changed = changedDetails(order, Object.fromEntries(fields.map((field) => [field, typed[field]])));
    if (Object.keys(changed).length === 0) {
      onClose();
      return;
    }
    const parsed = orderDetailsSchema.safeParse(changed);
    if (!parsed.success) {
      const found = messages(parsed.error.issues);
      setErrors(found);
      focusFirstError(form.current, fields, found);
      return;
    }
    const sent = await action.run('Not saved', async () => {
      onDone(await changeDetails(order.id, parsed.data));
      showToast('Saved', { tone: 'success' });
    });
    if (!sent) onUnknownOutcome();
  };

  return (
    <ModalDialog open={open} title={title} onClose={onClose} closable={!action.busy} className="max-w-lg">
      <form
        ref={form}
        noValidate
        className="mt-3 grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="text-ink-700">{hint}</p>
        {fields.map((field) => (
          <Field
            key={field}
            name={field}
            label={orderDetailLabels[field]}
            value={typed[field]}
            error={errors[field]}
            autoComplete="off"
            {...inputs[field]}
            onValue={(value) => {
              setTyped((before) => ({ ...before, [field]: value }));
              setErrors(({ [field]: _cleared, ...others }) => others);
            }}
          />
        ))}
        <ActionError error={action.error} />
        <div className="flex flex-wrap gap-3">
          <button type="submit" className="btn btn-primary" aria-busy={action.busy}>
            {action.busy ? 'Saving…' : 'Save'}
          </button>
          <button type="button" className="btn btn-secondary" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </ModalDialog>
  );
}
