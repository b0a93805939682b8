import { trackingHint } from '#domain/orders/carriers.ts';
import { useState } from 'react';
import { fulfilmentChangeSchema } from '#domain/admin/orders/order-requests.ts';
import { parseForm } from '#domain/checkout/forms.ts';
import { createFulfilmentSender } from '#services/admin/orders/fulfilment-sender.ts';
import { storeCarrier, lastCarrier } from '#services/admin/orders/stored-carrier.ts';
import { showToast } from '#stores/toasts.ts';
import { Field } from '#islands/shared/Field.tsx';
import { useForm } from '#islands/shared/use-form.ts';
import { DialogForm } from '#islands/admin/shared/DialogForm.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { CarrierField } from './CarrierField.tsx';
import type { OrderDialogProps } from './order-dialog-props.ts';

interface ShipDialogProps extends OrderDialogProps {
  /** Another step is being saved: this one must not overtake it. */
  stepping: boolean;
}

/** The carrier and the tracking number; the customer is notified by e-mail. Also corrects them. */
export function ShipDialog({ order, open, stepping, onClose, onDone }: ShipDialogProps) {
  const form = useForm(() => ({
    carrier: order.carrier ?? lastCarrier(),
    trackingNumber: order.trackingNumber ?? '',
    trackingUrl: order.trackingUrl ?? '',
  }));
  const action = useAction();
  const [sendStep] = useState(() => createFulfilmentSender(order.id));
  const correcting = order.fulfilment === 'shipped';

  const submit = () => {
    const step = form.accept(
      parseForm(fulfilmentChangeSchema, { state: 'shipped', ...form.values }),
    );
    if (!step) return;
    void action.run(
      correcting ? 'The tracking stays as it is' : 'The order is not marked as shipped',
      async () => {
        const next = await sendStep(step);
        storeCarrier(form.values.carrier.trim());
        onDone(next);
        const title = correcting ? 'Tracking corrected' : `Order ${String(order.id)} is shipped`;
        showToast(title, {
          description: `${order.customerEmail} is notified by e-mail.`,
          tone: 'success',
        });
      },
    );
  };

  return (
    <DialogForm
      title={
        correcting ? `Tracking of order ${String(order.id)}` : `Ship order ${String(order.id)}`
      }
      open={open}
      action={action}
      blocked={stepping}
      submitText={correcting ? 'Save tracking' : 'Mark shipped'}
      busyText="Saving…"
      form={form.ref}
      onClose={onClose}
      onSubmit={submit}
    >
      <CarrierField {...form.bind('carrier')} />
      <Field
        {...form.bind('trackingNumber')}
        label="Tracking number (none for ordinary post)"
        autoCapitalize="characters"
      />
      <Field
        {...form.bind('trackingUrl')}
        label="Tracking link (optional)"
        hint={trackingHint(form.values.carrier)}
        type="url"
        inputMode="url"
        placeholder="https://"
      />
      <p className="text-sm text-ink-500">The customer is notified by e-mail.</p>
    </DialogForm>
  );
}
