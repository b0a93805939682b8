import { useState } from 'react';
import { clearCart } from '#stores/cart-changes.ts';
import { Sheet } from '#islands/shared/Sheet.tsx';

/** Empties the cart after a confirmation. */
export function ClearCart({ count }: { count: number }) {
  const [asking, setAsking] = useState(false);
  const close = () => {
    setAsking(false);
  };
  return (
    <>
      <button
        type="button"
        className="btn btn-quiet mt-3 -ml-3"
        onClick={() => {
          setAsking(true);
        }}
      >
        Clear Cart
      </button>
      <Sheet open={asking} title="Clear your cart?" onClose={close} className="max-w-narrow">
        <p className="mt-4 text-ink-700">
          {count === 1 ? 'The item in it is' : `All ${String(count)} items in it are`} taken out.
        </p>
        <div className="mt-6 flex flex-wrap gap-3">
          <button
            type="button"
            className="btn btn-danger"
            onClick={() => {
              close();
              clearCart();
            }}
          >
            Yes, clear it
          </button>
          <button type="button" className="btn btn-secondary" onClick={close}>
            Keep my items
          </button>
        </div>
      </Sheet>
    </>
  );
}
