import { useRef, useState } from 'react';
import { fulfilmentChangeSchema } from '../../../../domain/admin/orders/orders.ts';
import { changeFulfilment } from '../../../../services/admin/orders.ts';
import { storeCarrier, lastCarrier } from '../../../../services/admin/stored-carrier.ts';
import { showToast } from '../../../../stores/toasts.ts';
import { BusyButton } from '../../../shared/BusyButton.tsx';
import { Field } from '../../../shared/Field.tsx';
import { focusFirstError } from '../../../shared/focus-field.ts';
import { ModalDialog } from '../../../shared/ModalDialog.tsx';
import { ActionError } from '../../shared/ActionError.tsx';
import { useAction } from '../../shared/use-action.ts';
import { CarrierField } from './CarrierField.tsx';
import type { OrderDialogProps } from './order-dialog-props.ts';

const fields = ['carrier', 'trackingNumber', 'trackingUrl'] as const;
type Values = Record<(typeof fields)[number], string>;

interface ShipDialogProps extends OrderDialogProps {
  /** Another step is being saved: this one must not overtake it. */
  stepping: boolean;
}

/** Who carries the parcel, and how it is followed: the buyer is told by e-mail. Also corrects what was told. */
export function ShipDialog({ order, open, stepping, onClose, onDone }: ShipDialogProps) {
  const [values, setValues] = useState<Values>(() => ({
    carrier: order.carrier ?? lastCarrier(),
    trackingNumber: order.trackingNumber ?? '',
    trackingUrl: order.trackingUrl ?? '',
  }));
  const [errors, setErrors] = useState<Partial<Values>>({});
  const form = useRef<HTMLFormElement>(null);
  const action = useAction();
  const correcting = order.fulfilment === 'shipped';
  const change = (name: keyof Values, value: string) => {
    setValues((typed) => ({ ...typed, [name]: value }));
    setErrors(({ [name]: _cleared, ...others }) => others);
  };
  const bind = (name: keyof Values) => ({
    ...{ name, value: values[name], error: errors[name] },
    onValue: (value: string) => {
      change(name, value);
    },
  });

  const submit = () => {
    const parsed = fulfilmentChangeSchema.safeParse({ state: 'shipped', ...values });
    if (!parsed.success) {
      const wrong = Object.fromEntries(parsed.error.issues.map(({ path, message }) => [String(path[0]), message]));
      setErrors(wrong);
      focusFirstError(form.current, fields, wrong);
      return;
    }
    void action.run(correcting ? 'The tracking stays as it is' : 'The order is not marked as shipped', async () => {
      const next = await changeFulfilment(order.id, parsed.data);
      storeCarrier(values.carrier.trim());
      onDone(next);
      const title = correcting ? 'Tracking corrected' : `Order ${String(order.id)} is shipped`;
      showToast(title, { description: `${order.customerEmail} is told by e-mail.`, tone: 'success' });
    });
  };

  return (
    <ModalDialog
      open={open}
      title={correcting ? `Tracking of order ${String(order.id)}` : `Ship order ${String(order.id)}`}
      onClose={onClose}
      closable={!action.busy}
      className="max-w-lg"
    >
      <form
        ref={form}
        noValidate
        className="mt-4 grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <CarrierField {...bind('carrier')} />
        <Field {...bind('trackingNumber')} label="Tracking number (none for ordinary post)" autoComplete="off" autoCapitalize="characters" />
        <Field
          {...bind('trackingUrl')}
          label="Tracking link (optional)"
          hint="Left empty, it is made from the carrier and the number."
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
        />
        <p className="text-sm text-ink-500">The buyer is told by e-mail.</p>
        <ActionError error={action.error} />
        <BusyButton busy={action.busy || stepping} busyText="Saving…">
          {correcting ? 'Save tracking' : 'Mark shipped'}
        </BusyButton>
      </form>
    </ModalDialog>
  );
}
