import { useState } from 'react';
import { fulfilmentChangeSchema } from '#domain/admin/orders/order-requests.ts';
import { orderCount } from '#domain/admin/orders/several-orders.ts';
import type { AdminOrder, ListedOrder } from '#domain/admin/orders/orders.ts';
import { parseForm } from '#domain/checkout/forms.ts';
import { createFulfilmentSender } from '#services/admin/orders/fulfilment-sender.ts';
import { lastCarrier, storeCarrier } from '#services/admin/orders/stored-carrier.ts';
import { Field } from '#islands/shared/Field.tsx';
import { useForm } from '#islands/shared/use-form.ts';
import { DialogForm } from '#islands/admin/shared/DialogForm.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { CarrierField } from '#islands/admin/orders/dialogs/CarrierField.tsx';
import { TellShipped } from '#islands/admin/orders/detail/TellShipped.tsx';
import { eachOrder } from './each-order.ts';

interface ShipSeveralDialogProps {
  /** Orders that can be sent. */
  orders: readonly ListedOrder[];
  /** Why others of the choice cannot. */
  leftOut: readonly string[];
  /** Receives the orders that were shipped. */
  onClose: (shipped: readonly AdminOrder[]) => void;
}

const fieldOf = (id: number): string => `number-${String(id)}`;

/** Several parcels of one carrier, each with its number. Those that fail stay in the sheet with their reasons; the others are sent. */
export function ShipSeveralDialog({ orders, leftOut, onClose }: ShipSeveralDialogProps) {
  const form = useForm<Record<string, string>>(() => ({
    carrier: lastCarrier(),
    ...Object.fromEntries(orders.map(({ id }) => [fieldOf(id), ''])),
  }));
  const action = useAction();
  const [turn, setTurn] = useState(0);
  const [shipped, setShipped] = useState<readonly AdminOrder[]>([]);
  const [senders] = useState(
    () => new Map(orders.map(({ id }) => [id, createFulfilmentSender(id)])),
  );
  const left = orders.filter(({ id }) => !shipped.some((order) => order.id === id));

  const submit = () => {
    const carrier = form.values['carrier'] ?? '';
    const numbers = left.map(({ id }) => (form.values[fieldOf(id)] ?? '').trim());
    const errors: Record<string, string> = {};
    for (const [index, { id }] of left.entries()) {
      const trackingNumber = numbers[index] ?? '';
      const read = parseForm(fulfilmentChangeSchema, { state: 'shipped', carrier, trackingNumber });
      const found: Readonly<Record<string, string>> = read.ok ? {} : read.errors;
      if (found['carrier'] !== undefined) errors['carrier'] = found['carrier'];
      const wrong = found['trackingNumber'];
      const isTwice = trackingNumber !== '' && numbers.indexOf(trackingNumber) < index;
      if (wrong !== undefined || isTwice)
        errors[fieldOf(id)] = wrong ?? 'Another order here has this number already';
    }
    if (Object.keys(errors).length > 0) {
      form.refuse(errors);
      return;
    }
    void action.run('Nothing is shipped', async () => {
      const { done, failed } = await eachOrder(
        left.map(({ id }) => id),
        (id) => {
          const send = senders.get(id) ?? createFulfilmentSender(id);
          const trackingNumber = form.values[fieldOf(id)] ?? '';
          return send({ state: 'shipped', carrier, trackingNumber });
        },
        setTurn,
      );
      storeCarrier(carrier.trim());
      setShipped([...shipped, ...done]);
      if (failed.length > 0)
        form.refuse(Object.fromEntries(failed.map(([id, reason]) => [fieldOf(id), reason])));
    });
  };

  const finished = left.length === 0;
  return (
    <DialogForm
      title={`${finished ? 'Shipped' : 'Ship'} ${orderCount(finished ? shipped.length : left.length)}`}
      action={action}
      submitText={finished ? 'Done' : `Mark ${orderCount(left.length)} shipped`}
      busyText={`Saving ${String(turn)} of ${String(left.length)}…`}
      form={form.ref}
      onClose={() => onClose(shipped)}
      onSubmit={() => (finished ? onClose(shipped) : submit())}
    >
      {finished ? null : (
        <>
          <CarrierField {...form.bind('carrier')} />
          {left.map(({ id, customerName }) => (
            <Field
              key={id}
              {...form.bind(fieldOf(id))}
              label={`Tracking number of ${String(id)} ${customerName}`}
              autoCapitalize="characters"
            />
          ))}
          <p className="text-sm text-ink-500">
            Leave a number empty for ordinary post. The customers are notified by e-mail.
          </p>
        </>
      )}
      {leftOut.length === 0 ? null : <p className="notice">Left out: {leftOut.join('. ')}.</p>}
      {shipped.length === 0 ? null : (
        <section className="grid gap-2" aria-label="Shipped">
          <p role="status">{orderCount(shipped.length)} shipped.</p>
          {shipped.map((order) => (
            <p key={order.id} className="flex flex-wrap items-center justify-between gap-2">
              <span className="wrap-anywhere">
                {order.id} {order.customerName}
              </span>
              <TellShipped order={order} />
            </p>
          ))}
        </section>
      )}
    </DialogForm>
  );
}
