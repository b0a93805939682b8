import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { lineKey, sizedName } from '#domain/catalogue/sizes.ts';
import { ProductSearch } from '#islands/admin/shared/fields/ProductSearch.tsx';
import type { NewOrderDraft } from './use-new-order.ts';

/** Finds products, or their sizes, and puts them into the order. */
export function ProductPicker({ draft: { values, errors, change } }: { draft: NewOrderDraft }) {
  const { lines } = values;
  const chosen = new Set(lines.map(({ key }) => key));
  const button = (product: AdminProduct, stock: number, size?: string) => {
    const key = lineKey(product.id, size);
    const isChosen = chosen.has(key);
    return (
      <button
        key={key}
        type="button"
        className="btn btn-secondary btn-small flex-none"
        disabled={stock === 0 || isChosen}
        onClick={() => {
          const line = {
            key,
            product,
            ...(size === undefined ? {} : { size }),
            stock,
            quantity: 1,
          };
          change({ lines: [...lines, line] });
        }}
      >
        {isChosen ? 'Added' : 'Add'}
        {size === undefined ? null : <span aria-hidden="true"> {size}</span>}
        <span className="visually-hidden"> {sizedName(product.name, size)}</span>
      </button>
    );
  };

  return (
    <ProductSearch
      name="lines"
      label="Find a product"
      error={errors['lines']}
      actions={(product) =>
        product.sizes.length === 0 ? (
          button(product, product.stock)
        ) : (
          <span className="flex basis-full flex-wrap gap-2">
            {product.sizes.map(({ size, stock }) => button(product, stock, size))}
          </span>
        )
      }
    />
  );
}
