import { useEffect, useRef } from 'react';
import { newOrderApi } from './domain/new-order.ts';
import { channelLabels, salesChannels } from '#domain/orders/sales-channel.ts';
import { orderHash } from '#domain/admin/orders/orders-address.ts';
import { formatRupees } from '#domain/money.ts';
import { orderSums } from '#domain/orders/order-sums.ts';
import { AdminError } from '#services/admin/admin-error.ts';
import { callAdmin } from '#services/admin/api.ts';
import { showToast } from '#stores/toasts.ts';
import { Field } from '#islands/shared/Field.tsx';
import { SummaryRows } from '#islands/shared/SummaryRows.tsx';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { SelectField } from '#islands/admin/shared/fields/SelectField.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { CustomerFields } from './CustomerFields.tsx';
import { ChosenProducts } from './ChosenProducts.tsx';
import { PaymentChoice } from './PaymentChoice.tsx';
import { ProductPicker } from './ProductPicker.tsx';
import { useLinkedLines } from './use-linked-lines.ts';
import { useNewOrder } from './use-new-order.ts';

interface NewOrderProps {
  /** The address of the list from which the form was opened. */
  listHash: string;
  onMade: () => void;
}

/** The form of a sale outside the shop: what, to whom, and how it is paid. */
export function NewOrder({ listHash, onMade }: NewOrderProps) {
  const draft = useNewOrder();
  const { values, ref, bind, change, submit, rows, total } = draft;
  const action = useAction();
  const linked = useLinkedLines(draft);
  const sums = orderSums({ rows, handedOver: values.handOver });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0, behavior: 'instant' });
  }, []);

  const send = async () => {
    const order = draft.check();
    if (!order) return;
    await action.run('The order was not created', async () => {
      try {
        const made = (await callAdmin(newOrderApi.create, { body: order })).order;
        showToast(`Order ${String(made.id)} is created`, {
          description: made.payLink ? 'Send the customer the link.' : 'It is paid.',
          tone: 'success',
        });
        onMade();
        window.location.hash = orderHash(made.id);
      } catch (error) {
        // This key is used up: the next press makes a new order.
        if (error instanceof AdminError && (error.code === 'expired' || error.status === 502))
          draft.renewKey();
        throw error;
      }
    });
  };

  return (
    <section aria-labelledby="new-order-title">
      <a href={listHash} className="inline-block py-2.5 text-sm/relaxed">
        <span aria-hidden="true">← </span>
        <span className="link">All orders</span>
      </a>
      <h2 className="section-title mt-2" id="new-order-title" ref={heading} tabIndex={-1}>
        New order
      </h2>
      <p className="mt-1 max-w-2xl text-ink-700">
        For a sale outside the shop. It takes stock, and is packed and invoiced like any other
        order.
      </p>
      <form
        ref={ref}
        noValidate
        autoComplete="off"
        className="mt-6 grid max-w-2xl gap-8"
        onSubmit={(event) => void submit(event, send)}
      >
        <fieldset className="grid gap-4">
          <legend className="mb-3 text-xl">Products</legend>
          {linked === '' ? null : (
            <p className="notice" role="status">
              {linked}
            </p>
          )}
          <ProductPicker draft={draft} />
          <ChosenProducts draft={draft} />
          <Field
            {...bind('reduction')}
            label="Price reduction (₹, optional)"
            hint="Comes off the price of the products, as after bargaining."
            inputMode="decimal"
            className="max-w-72"
          />
        </fieldset>
        <fieldset className="grid gap-5">
          <legend className="mb-3 text-xl">Customer</legend>
          <SelectField
            label="Sold on"
            name="channel"
            value={values.channel}
            options={salesChannels.map((channel) => [channel, channelLabels[channel]] as const)}
            onValue={(channel) => change({ channel })}
          />
          <CustomerFields draft={draft} />
        </fieldset>
        <fieldset className="grid gap-3">
          <legend className="mb-3 text-xl">Payment</legend>
          <PaymentChoice draft={draft} />
        </fieldset>
        <div className="border-t border-line pt-4" aria-live="polite">
          <SummaryRows rows={sums} />
        </div>
        <ActionError error={action.error} />
        <button type="submit" className="btn btn-primary btn-block" aria-busy={action.busy}>
          {action.busy
            ? 'Making it…'
            : values.by === 'link'
              ? 'Make the order and its link'
              : `Make the order, ${values.lines.length === 0 ? '' : `${formatRupees(total)} `}paid`}
        </button>
      </form>
    </section>
  );
}
