import { useStore } from '@nanostores/react';
import { lazy, Suspense, useState } from 'react';
import type { Cart } from '#domain/cart/cart.ts';
import type { OrderChoices } from '#domain/sums/charges.ts';
import { summarizeCart, type CartSummary } from '#domain/cart/cart-summary.ts';
import type { ConfirmedDetails } from '#domain/checkout/forms.ts';
import { formatRupees } from '#domain/money.ts';
import { orderSums } from '#domain/orders/order-sums.ts';
import { offersCash } from '#services/environment.ts';
import { $discount } from '#stores/discount.ts';
import { useSession } from '#islands/shared/use-session.ts';
import { ProductImage } from '#islands/shared/ProductImage.tsx';
import { Sheet } from '#islands/shared/Sheet.tsx';
import { CheckoutItems } from './CheckoutItems.tsx';
import { CustomerForm } from './CustomerForm.tsx';
import { SummaryRows } from '#islands/shared/SummaryRows.tsx';
import type { CheckoutPhase } from './run-checkout.ts';

interface ContactDialogProps {
  cart: Cart;
  phase: CheckoutPhase;
  onClose: () => void;
  onDetails: (details: ConfirmedDetails, choices: OrderChoices) => void;
}

const PaymentChoice = offersCash
  ? lazy(() => import('#features/cash-on-delivery/PaymentChoice.tsx'))
  : null;

const textsOnline = {
  lastStep: 'Payment',
  submit: 'Proceed to Payment',
  busy: 'Opening payment…',
};
/** The button of an advance names the advance: the total is not what is paid by it. */
const textsOf = ({ total, cash }: CartSummary): typeof textsOnline =>
  cash === null
    ? textsOnline
    : { ...textsOnline, submit: `Pay ${formatRupees(total - cash.due)} now` };
/** The texts for an order of which nothing is paid online. */
const textsAtDoor = {
  lastStep: 'Confirmation',
  submit: 'Place Order',
  busy: 'Placing your order…',
};

/**
 * The checkout's dialog. It hides while the provider's window is open, which a modal dialog would cover;
 * the form stays mounted, so nothing typed is lost.
 */
export function ContactDialog({ cart, phase, onClose, onDetails }: ContactDialogProps) {
  const session = useSession();
  const discount = useStore($discount);
  const [choices, setChoices] = useState<OrderChoices>({ way: 'now' });
  const summary = summarizeCart(cart, discount, choices);
  const paysNothingNow = offersCash && summary.cash?.due === summary.total;
  const texts = paysNothingNow ? textsAtDoor : textsOf(summary);
  const confirming = phase === 'confirming';
  const editable = phase === 'form' || phase === 'cancelled';
  const open = editable || phase === 'starting' || confirming;
  if (session.state !== 'signed-in') return null;
  return (
    <Sheet
      open={open}
      title={confirming ? 'Confirming your payment' : 'Contact Information'}
      onClose={onClose}
      closable={editable}
      className="dialog-sheet"
    >
      {confirming ? (
        <p className="mt-4 flex items-center gap-3 text-ink-700" role="status">
          <span className="spinner text-accent-700" aria-hidden="true" />
          Your payment went through. Please keep this page open for a moment.
        </p>
      ) : (
        <>
          <Steps last={texts.lastStep} />
          <Goods cart={cart} summary={summary} />
          <p className="mt-4 text-ink-700">
            Please provide your contact details so we can reach you about your order.
          </p>
        </>
      )}
      <div hidden={confirming}>
        <CustomerForm
          key={session.user.id}
          user={session.user}
          active={open}
          busy={phase === 'starting'}
          isCancelled={phase === 'cancelled'}
          isPaid={confirming}
          onDetails={(details) => {
            onDetails(details, choices);
          }}
          summary={summary}
          texts={texts}
          choice={(values) =>
            PaymentChoice && (
              <Suspense>
                <PaymentChoice
                  cart={cart}
                  discount={discount}
                  phone={values.phone}
                  postalCode={values.postalCode}
                  choices={choices}
                  onChoices={setChoices}
                />
              </Suspense>
            )
          }
        />
      </div>
    </Sheet>
  );
}

/** Where the customer is on the way to the order. */
function Steps({ last }: { last: string }) {
  return (
    <ol className="flex gap-2 text-sm" aria-label="Steps">
      <li className="font-medium" aria-current="step">
        Details
      </li>
      <li className="text-ink-500">
        <span aria-hidden="true">· </span>
        {last}
      </li>
    </ol>
  );
}

/** Shows the order in one line, which opens to all items. */
function Goods({ cart, summary }: { cart: Cart; summary: CartSummary }) {
  const items = cart.items.filter(({ quantity }) => quantity > 0);
  return (
    <details className="group mt-3 border-y border-line">
      <summary className="flex min-h-14 items-center gap-3 py-2">
        <ProductImage entry={items[0]?.images[0]} width={56} className="w-10" />
        <span className="min-w-0 flex-1 text-sm">
          {cart.itemCount === 1 ? '1 item' : `${String(cart.itemCount)} items`}
          <span className="link ml-2">
            <span className="group-open:hidden">Show</span>
            <span className="not-group-open:hidden">Hide</span>
          </span>
        </span>
        <span className="price">{formatRupees(summary.total)}</span>
      </summary>
      <CheckoutItems items={items} />
      <div className="py-4">
        <SummaryRows rows={orderSums(summary)} prominent />
      </div>
    </details>
  );
}
