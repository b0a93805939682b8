import { useEffect, useRef } from 'react';
import { summarizeCart, type Cart as CartState, type CartItem } from '../../domain/cart/cart.ts';
import { removeCartItem } from '../../stores/cart.ts';
import { refreshCartFromCatalogue } from '../../stores/cart-refresh.ts';
import { showToast } from '../../stores/toasts.ts';
import { useAccountEvents } from '../shared/use-session.ts';
import { CartLine } from './CartLine.tsx';
import { CartSkeleton } from './CartSkeleton.tsx';
import { ClearCart } from './ClearCart.tsx';
import { EmptyCart } from './EmptyCart.tsx';
import { OrderForm } from '../checkout/OrderForm.tsx';
import { OrderSummary } from './OrderSummary.tsx';
import { useCart } from './use-cart.ts';
import { useCheckout } from '../checkout/use-checkout.ts';

/** The cart and the way to payment (spec section 2, Cart). */
export default function CartPage() {
  const { cart, ready } = useCart();
  return (
    <>
      {ready ? <Cart cart={cart} /> : <CartSkeleton />}
      <OrderForm cart={cart} />
    </>
  );
}

function Cart({ cart }: { cart: CartState }) {
  const checkout = useCheckout();
  const Dialog = checkout.code?.Dialog;
  const heading = useRef<HTMLHeadingElement>(null);
  useAccountEvents();
  useEffect(() => {
    void refreshCartFromCatalogue();
  }, []);

  if (checkout.phase === 'leaving') {
    return (
      <p className="lead py-16" role="status">
        One moment, please…
      </p>
    );
  }
  if (cart.items.length === 0) return <EmptyCart />;

  const remove = (item: CartItem) => {
    removeCartItem(item.id);
    // The button that had the focus is gone.
    heading.current?.focus();
    showToast('Removed from cart', { description: item.name });
  };
  const count = cart.itemCount === 1 ? '1 item' : `${String(cart.itemCount)} items`;
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h1 className="page-title" ref={heading} tabIndex={-1}>
          Shopping Cart <span className="font-text text-lg text-ink-500">({count})</span>
        </h1>
        <ClearCart count={cart.items.length} />
      </div>
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] items-start gap-10 lg:grid-cols-[minmax(0,1fr)_min(24rem,40%)] lg:gap-16">
        <ul className="border-t border-line">
          {cart.items.map((item) => (
            <CartLine key={item.id} item={item} onRemove={remove} />
          ))}
        </ul>
        <OrderSummary summary={summarizeCart(cart)} payable={cart.itemCount > 0} onProceed={checkout.proceed} />
      </div>
      {Dialog ? <Dialog cart={cart} phase={checkout.phase} onClose={checkout.close} onDetails={(details) => void checkout.pay(details)} /> : null}
    </>
  );
}
