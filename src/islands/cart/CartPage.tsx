import { useStore } from '@nanostores/react';
import { useCallback, useEffect, useRef } from 'react';
import { emptyCart, keyOf, type Cart as CartState, type CartItem } from '#domain/cart/cart.ts';
import { summarizeCart } from '#domain/cart/cart-summary.ts';
import { sizedName } from '#domain/catalogue/sizes.ts';
import { removeCartItem } from '#stores/cart-changes.ts';
import { $cart } from '#stores/cart.ts';
import { $discount } from '#stores/discount.ts';
import { refreshNotice } from '#stores/shop-notice.ts';
import { showToast } from '#stores/toasts.ts';
import { Icon } from '#islands/shared/Icon.tsx';
import { useAccountEvents } from '#islands/shared/use-session.ts';
import { refreshCartFromCatalogue } from '#islands/shared/cart-refresh.ts';
import { CartLine } from './CartLine.tsx';
import { ClearCart } from './ClearCart.tsx';
import { OrderForm } from '#islands/checkout/OrderForm.tsx';
import { OrderSummary } from './OrderSummary.tsx';
import { useCheckout } from '#islands/checkout/use-checkout.ts';
import { useIsClient } from '#islands/shared/use-is-client.ts';
import { withFaultNotice } from '#islands/shared/FaultNotice.tsx';

/** The cart and the way to payment (spec section 2, Cart). */
function CartPage() {
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
  const discount = useStore($discount);
  const Dialog = checkout.code?.Dialog;
  const heading = useRef<HTMLHeadingElement>(null);
  useAccountEvents();
  useEffect(() => {
    void refreshCartFromCatalogue();
    void refreshNotice();
  }, []);

  const remove = useCallback((item: CartItem) => {
    removeCartItem(keyOf(item));
    // The button that had the focus is gone.
    heading.current?.focus();
    showToast('Removed from cart', { description: sizedName(item.name, item.size) });
  }, []);

  if (checkout.phase === 'leaving') {
    return (
      <p className="empty-state text-lg" role="status">
        <span className="spinner text-accent-700" aria-hidden="true" />
        One moment, please…
      </p>
    );
  }
  if (cart.items.length === 0) return <EmptyCart />;

  const count = cart.itemCount === 1 ? '1 item' : `${String(cart.itemCount)} items`;
  return (
    <>
      <h1 className="page-title" ref={heading} tabIndex={-1}>
        Shopping Cart <span className="font-text text-lg text-ink-500">{`(${count})`}</span>
      </h1>
      <div className="mt-4 grid md:mt-6 grid-cols-[minmax(0,1fr)] items-start gap-8 lg:gap-10 lg:grid-cols-[minmax(0,1fr)_min(24rem,40%)]">
        <div>
          <ul className="border-t border-line">
            {cart.items.map((item) => (
              <CartLine key={keyOf(item)} item={item} onRemove={remove} />
            ))}
          </ul>
          <ClearCart count={cart.items.length} />
        </div>
        <OrderSummary
          summary={summarizeCart(cart, discount)}
          payable={cart.itemCount > 0}
          onProceed={checkout.proceed}
        />
      </div>
      {Dialog ? (
        <Dialog
          cart={cart}
          phase={checkout.phase}
          onClose={checkout.close}
          onDetails={(details, choices) => void checkout.pay(details, choices)}
        />
      ) : null}
    </>
  );
}

/** The cart, and whether it is loaded: on the server and during hydration it is empty and not ready. */
function useCart(): { cart: CartState; ready: boolean } {
  const cart = useStore($cart, { ssr: () => emptyCart });
  return { cart, ready: useIsClient() };
}

/** A skeleton of the page until the cart is loaded, so that nothing shifts. */
function CartSkeleton() {
  return (
    <div aria-busy="true">
      <h1 className="page-title">Shopping Cart</h1>
      <p className="visually-hidden loading-part">Loading your cart</p>
      <div
        className="loading-part mt-4 grid gap-8 md:mt-6 lg:gap-10 lg:grid-cols-[minmax(0,1fr)_min(24rem,40%)]"
        aria-hidden="true"
      >
        <div className="flex gap-4 border-y border-line py-5 sm:py-6">
          <div className="aspect-square w-20 bg-tile opacity-50 sm:w-28" />
          <div className="flex-1">
            <div className="h-5 w-1/2 bg-mist" />
            <div className="mt-3 h-4 w-1/4 bg-mist" />
          </div>
        </div>
        <div className="panel h-80" />
      </div>
    </div>
  );
}

function EmptyCart() {
  // Back from a payment, the browser scrolls to where the page was when it was long.
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  return (
    <>
      <h1 className="page-title">Shopping Cart</h1>
      <div className="empty-state">
        <span className="avatar bg-paper text-accent-700" aria-hidden="true">
          <Icon name="bag" />
        </span>
        <h2 className="section-title">Your cart is empty</h2>
        <p className="lead">Have a look around. What you choose is kept here.</p>
        <a href="/shop" className="btn btn-primary">
          Continue Shopping
        </a>
      </div>
    </>
  );
}

export default withFaultNotice(CartPage);
