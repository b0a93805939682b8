import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import type { ProductOpening } from '#islands/admin/products/form/product-model.ts';
import { ProductRow } from './row/ProductRow.tsx';
import type { Featured } from './use-featured.ts';
import type { Selection } from '#islands/admin/shared/use-selection.ts';

interface ProductTableProps {
  products: readonly AdminProduct[];
  featured: Featured;
  selection: Selection | null;
  /** Being read again; what is shown stays until the answer comes. */
  busy: boolean;
  /** The shown rows answer an earlier query. */
  outdated: boolean;
  onOpen: (opening: ProductOpening) => void;
  onDelete: (product: AdminProduct) => void;
  onRestored: () => void;
}

const columns = ['Product', 'Category', 'Price', 'Stock', 'Actions'] as const;

export function ProductTable({
  products,
  featured,
  selection,
  busy,
  outdated,
  onOpen,
  onDelete,
  onRestored,
}: ProductTableProps) {
  return (
    <table
      role="table"
      className={`product-table ${outdated ? 'opacity-60' : ''}`}
      aria-label="Products"
      aria-busy={busy}
    >
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column} role="columnheader" scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {products.map((product) => (
          <ProductRow
            key={product.id}
            product={product}
            featured={featured}
            selection={selection}
            onOpen={onOpen}
            onDelete={onDelete}
            onRestored={onRestored}
          />
        ))}
      </tbody>
    </table>
  );
}

/** The shape of the table until the first rows come. */
export function ProductTableSkeleton() {
  return (
    <div aria-busy="true">
      <p className="visually-hidden" role="status">
        Loading products
      </p>
      <div aria-hidden="true">
        {[0, 1, 2, 3, 4].map((row) => (
          <div key={row} className="flex items-center gap-4 border-t border-line py-3">
            <span className="size-16 bg-tile opacity-50" />
            <span className="h-5 w-2/5 bg-mist" />
          </div>
        ))}
      </div>
    </div>
  );
}
