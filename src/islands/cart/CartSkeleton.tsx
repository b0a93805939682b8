/** The shape of the page until the shopper's own cart is read: nothing jumps when it comes. */
export function CartSkeleton() {
  return (
    <div aria-busy="true">
      <h1 className="page-title">Shopping Cart</h1>
      <p className="visually-hidden">Your cart is being read</p>
      <div className="mt-8 grid gap-10 lg:grid-cols-[minmax(0,1fr)_min(24rem,40%)]" aria-hidden="true">
        <div className="flex gap-6 border-y border-line py-6">
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
