import { useStore } from '@nanostores/react';
import type { Cart } from '../../domain/cart/cart.ts';
import { summarizeCart } from '../../domain/cart/cart-summary.ts';
import type { ConfirmedDetails } from '../../domain/checkout/forms.ts';
import { orderSums } from '../../domain/orders/order-sums.ts';
import { $discount } from '../../stores/discount.ts';
import { useSession } from '../shared/use-session.ts';
import { ModalDialog } from '../shared/ModalDialog.tsx';
import { CheckoutItems } from './CheckoutItems.tsx';
import { CustomerForm } from './CustomerForm.tsx';
import { SummaryRows } from '../shared/SummaryRows.tsx';
import type { CheckoutPhase } from './run-checkout.ts';

interface ContactDialogProps {
  cart: Cart;
  phase: CheckoutPhase;
  onClose: () => void;
  onDetails: (details: ConfirmedDetails) => void;
}

/**
 * The checkout's dialog. It hides while the provider's window is open, which a modal dialog would cover;
 * the form stays mounted, so nothing typed is lost.
 */
export function ContactDialog({ cart, phase, onClose, onDetails }: ContactDialogProps) {
  const session = useSession();
  const discount = useStore($discount);
  const summary = summarizeCart(cart, discount);
  const confirming = phase === 'confirming';
  const open = phase === 'form' || phase === 'starting' || confirming;
  if (session.state !== 'signed-in') return null;
  return (
    <ModalDialog
      open={open}
      title={confirming ? 'Confirming your payment' : 'Contact Information'}
      onClose={onClose}
      closable={phase === 'form'}
    >
      {confirming ? (
        <p className="mt-4 flex items-center gap-3 text-ink-700" role="status">
          <span className="spinner text-accent-700" aria-hidden="true" />
          Your payment went through. Please keep this page open for a moment.
        </p>
      ) : (
        <p className="mt-3 text-ink-700">
          Please provide your contact details so we can reach you about your order.
        </p>
      )}
      <div hidden={confirming}>
        <CustomerForm
          key={session.user.id}
          user={session.user}
          active={open}
          busy={phase === 'starting'}
          onDetails={onDetails}
          total={summary.total}
        >
          <CheckoutItems items={cart.items} />
          <SummaryRows
            rows={orderSums({ ...summary, discountCode: summary.code, amount: summary.total })}
            prominent
          />
        </CustomerForm>
      </div>
    </ModalDialog>
  );
}
