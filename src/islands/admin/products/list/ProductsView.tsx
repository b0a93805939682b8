import { useEffect, useRef, useState } from 'react';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { BulkActions } from '#features/bulk-edits/BulkActions.tsx';
import { allProducts } from '#services/admin/catalogue/products.ts';
import { AdminIcon } from '#islands/admin/shared/AdminIcon.tsx';
import { DeleteDialog } from './row/DeleteDialog.tsx';
import { DraftNotes } from '#islands/admin/products/form/DraftNotes.tsx';
import type { ProductOpening } from '#islands/admin/products/form/product-model.ts';
import { ProductFilters } from './ProductFilters.tsx';
import { ProductResults } from './ProductResults.tsx';
import { useFeatured } from './use-featured.ts';
import { useSelection } from '#islands/admin/shared/use-selection.ts';
import { usePlace } from './use-place.ts';
import { useProductQuery } from './use-product-query.ts';
import { useProducts } from './use-products.ts';

interface ProductsViewProps {
  onOpen: (opening: ProductOpening) => void;
  formOpen: boolean;
}

/** The catalogue: found by a search at its top, changed in its rows or in the form. */
export function ProductsView({ onOpen, formOpen }: ProductsViewProps) {
  const { query, round, change } = useProductQuery();
  const [deleting, setDeleting] = useState<AdminProduct | null>(null);
  const [left, setLeft] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useProducts(query);
  const featured = useFeatured();
  const selection = useSelection();
  const rows = usePlace(list.total !== null);
  useEffect(() => {
    // The row that had the focus is gone.
    if (left > 0) heading.current?.focus();
  }, [left]);

  return (
    <section aria-labelledby="admin-products">
      <div className="mb-3.5 flex flex-wrap items-center gap-2">
        <h2
          id="admin-products"
          className="section-title mr-auto scroll-mt-40"
          ref={heading}
          tabIndex={-1}
        >
          Products
        </h2>
        <button
          type="button"
          className="btn btn-quiet btn-small px-1.5"
          aria-pressed={selection.active}
          onClick={selection.active ? selection.end : selection.start}
        >
          {selection.active ? 'Done' : 'Select'}
        </button>
        <button
          type="button"
          className="btn btn-primary btn-small px-3"
          onClick={() => onOpen({ product: null })}
        >
          <AdminIcon name="add" />
          Add Product
        </button>
      </div>
      <ProductFilters key={round} query={query} onQuery={change} />
      <DraftNotes formOpen={formOpen} onOpen={onOpen} />
      <div ref={rows}>
        <ProductResults
          list={list}
          featured={featured}
          selection={selection.active ? selection : null}
          filtered={
            query.q.trim() !== '' ||
            query.category !== 'all' ||
            query.stock !== 'all' ||
            query.show !== 'all'
          }
          onClear={() => change(allProducts)}
          onOpen={onOpen}
          onDelete={setDeleting}
          onRestored={() => setLeft(left + 1)}
        />
      </div>
      {selection.active ? (
        <BulkActions
          key={query.show}
          selection={selection}
          list={list}
          deleted={query.show === 'deleted'}
        />
      ) : null}
      {deleting ? (
        <DeleteDialog
          product={deleting}
          onClose={(gone) => {
            setDeleting(null);
            if (gone) setLeft(left + 1);
          }}
        />
      ) : null}
    </section>
  );
}
