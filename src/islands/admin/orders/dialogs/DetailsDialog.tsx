import { ordersApi } from '#domain/admin/orders/orders-api.ts';
import {
  changedDetails,
  orderDetailLabels,
  orderDetails,
  orderDetailsSchema,
  type OrderDetail,
} from '#domain/admin/orders/order-details.ts';
import { addressQuestions } from '#domain/checkout/address-hints.ts';
import { parseForm } from '#domain/checkout/forms.ts';
import { taxStanding } from '#domain/tax-standing.ts';
import { changeOrder } from '#services/admin/orders/orders.ts';
import { askAboutCity } from '#services/checkout/city-of-pin.ts';
import { showToast } from '#stores/toasts.ts';
import { Field } from '#islands/shared/Field.tsx';
import { useForm } from '#islands/shared/use-form.ts';
import { DialogForm } from '#islands/admin/shared/DialogForm.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import type { OrderDialogProps } from './order-dialog-props.ts';

const inputs: Readonly<
  Record<OrderDetail, { rows?: number; inputMode?: 'tel' | 'numeric'; hint?: string }>
> = {
  name: {},
  phone: { inputMode: 'tel' },
  address: { rows: 3 },
  city: {},
  postalCode: { inputMode: 'numeric' },
  gstin: { hint: 'For an invoice to a business. Leave it empty for everyone else.' },
  recipientName: { hint: 'Of a gift. Leave it empty when the customer gets the parcel.' },
  recipientPhone: { inputMode: 'tel' },
  adminNote: { rows: 4 },
};

/** A GSTIN is of use on a tax invoice only. */
const isShown = (field: OrderDetail): boolean => field !== 'gstin' || taxStanding().collectsTax;

interface DetailsDialogProps extends OrderDialogProps {
  title: string;
  hint: string;
  fields: readonly OrderDetail[];
}

/** Corrects some of an order's details. Each change enters the order's history with the old value. */
export function DetailsDialog({
  order,
  open,
  title,
  hint,
  fields,
  onClose,
  onDone,
  onUnknownOutcome,
}: DetailsDialogProps) {
  const form = useForm(() => orderDetails(order));
  const action = useAction();

  const submit = async () => {
    const changed = changedDetails(
      order,
      Object.fromEntries(fields.map((field) => [field, form.values[field]])),
    );
    if (Object.keys(changed).length === 0) {
      onClose();
      return;
    }
    const details = form.accept(parseForm(orderDetailsSchema, changed));
    if (!details) return;
    const questions = addressQuestions({
      phone: details.phone?.to ?? null,
      postalCode: details.postalCode?.to ?? null,
    });
    const before = orderDetails(order);
    const city = fields.includes('city') ? await askAboutCity(form.values, before) : undefined;
    if (form.ask({ ...questions, city }) === null) return;
    const sent = await action.run('Not saved', async () => {
      onDone(await changeOrder(ordersApi.changeDetails, order.id, details));
      showToast('Saved', { tone: 'success' });
    });
    if (!sent) onUnknownOutcome();
  };

  return (
    <DialogForm
      title={title}
      open={open}
      action={action}
      submitText="Save"
      busyText="Saving…"
      dismissText="Leave it"
      form={form.ref}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <p className="text-ink-700">{hint}</p>
      {fields.filter(isShown).map((field) => (
        <Field
          key={field}
          {...form.bind(field)}
          label={orderDetailLabels[field]}
          {...inputs[field]}
        />
      ))}
    </DialogForm>
  );
}
