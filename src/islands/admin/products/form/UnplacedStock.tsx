import type { ProductForm } from '#domain/admin/products/product-form.ts';

interface UnplacedStockProps {
  unplaced: number;
  sizes: ProductForm['sizes'];
  /** By its place among the sizes. */
  onSize: (index: number) => void;
  onSoldOut: () => void;
}

/** Asks into which size the stock goes that was typed before there were sizes. */
export function UnplacedStock({ unplaced, sizes, onSize, onSoldOut }: UnplacedStockProps) {
  return (
    <div className="notice notice-warn grid gap-2" role="group" aria-label="Stock without a size">
      <p>
        You typed a stock of {unplaced}, and all sizes are at 0. Into which size{' '}
        {unplaced === 1 ? 'does it' : 'do they'} go? You can also type the stock of each size below.
      </p>
      <div className="flex flex-wrap gap-2">
        {sizes.map(({ size }, index) => (
          <button
            key={size}
            type="button"
            className="btn btn-secondary min-h-11 px-3"
            onClick={() => onSize(index)}
          >
            {unplaced} in size {size}
          </button>
        ))}
        <button type="button" className="btn btn-quiet min-h-11 px-3" onClick={onSoldOut}>
          None, it is sold out
        </button>
      </div>
    </div>
  );
}
