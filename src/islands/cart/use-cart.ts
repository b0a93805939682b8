import { useStore } from '@nanostores/react';
import { useSyncExternalStore } from 'react';
import { emptyCart, type Cart } from '../../domain/cart/cart.ts';
import { $cart } from '../../stores/cart.ts';

const never = () => () => undefined;

/** The cart, and whether it is the shopper's own yet: on the server and during hydration it is empty and not ready. */
export function useCart(): { cart: Cart; ready: boolean } {
  const cart = useStore($cart, { ssr: () => emptyCart });
  const ready = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return { cart, ready };
}
