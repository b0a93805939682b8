import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import type { ProductOpening } from '#islands/admin/products/form/product-model.ts';
import { LoadState } from '#islands/admin/shared/fetching/LoadState.tsx';
import { UnpublishedLink } from '#islands/admin/publish/UnpublishedLink.tsx';
import { ProductTable, ProductTableSkeleton } from './ProductTable.tsx';
import type { Featured } from './use-featured.ts';
import type { Selection } from '#islands/admin/shared/use-selection.ts';
import type { ProductList } from './use-products.ts';

interface ProductResultsProps {
  list: ProductList;
  featured: Featured;
  selection: Selection | null;
  /** A search or filter is on. */
  filtered: boolean;
  onClear: () => void;
  onOpen: (opening: ProductOpening) => void;
  onDelete: (product: AdminProduct) => void;
  onRestored: () => void;
}

/** The rows with their count, or what is shown instead: skeleton, failure, nothing. */
export function ProductResults({
  list,
  featured,
  selection,
  filtered,
  onClear,
  onOpen,
  onDelete,
  onRestored,
}: ProductResultsProps) {
  const { products, total, loading, outdated } = list;
  const failure = <LoadState {...list} shown={total !== null} failed="Failed to fetch products" />;
  if (total === null) return list.error === null ? <ProductTableSkeleton /> : failure;
  return (
    <>
      {failure}
      <div className="mt-1 flex min-h-12 flex-wrap items-center justify-between gap-x-4">
        <p className="text-sm/relaxed text-ink-500" role="status">
          Showing {products.length} of {total} products
        </p>
        <UnpublishedLink />
      </div>
      {total === 0 ? (
        <div className="empty-state">
          <p className="section-title font-display">
            {filtered ? 'No products found' : 'No products yet'}
          </p>
          <button
            type="button"
            className="btn btn-secondary"
            onClick={filtered ? onClear : () => onOpen({ product: null })}
          >
            {filtered ? 'Clear Filters' : 'Add your first product'}
          </button>
        </div>
      ) : (
        <ProductTable
          products={products}
          featured={featured}
          selection={selection}
          busy={loading}
          outdated={outdated}
          onOpen={onOpen}
          onDelete={onDelete}
          onRestored={onRestored}
        />
      )}
      {products.length < total ? (
        <p className="mt-6 text-center">
          <button
            type="button"
            className="btn btn-secondary"
            aria-busy={loading}
            onClick={() => loading || list.more()}
          >
            Load more
          </button>
        </p>
      ) : null}
    </>
  );
}
