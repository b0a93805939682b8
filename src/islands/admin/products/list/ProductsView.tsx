import { useEffect, useRef, useState } from 'react';
import type { AdminProduct } from '../../../../domain/admin/products/product-input.ts';
import { LazyPart } from '../../shell/LazyPart.tsx';
import { DiscountsPanel } from '../../discounts/DiscountsPanel.tsx';
import { NoticePanel } from '../../notice/NoticePanel.tsx';
import { StockAlertsPanel } from '../../stock-alerts/StockAlertsPanel.tsx';
import { PublishBar } from '../../publish/PublishBar.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { DraftNotes } from '../form/DraftNotes.tsx';
import type { ProductOpening } from '../form/product-model.ts';
import { FeaturedProducts } from './FeaturedProducts.tsx';
import { ProductFilters } from './ProductFilters.tsx';
import { ProductResults } from './ProductResults.tsx';
import { allProducts } from './products-address.ts';
import { useFeatured } from './use-featured.ts';
import { CatalogueTools } from '../several/CatalogueTools.tsx';
import { SelectionBar } from '../several/SelectionBar.tsx';
import { useSelection } from '../several/use-selection.ts';
import { usePlace } from './use-place.ts';
import { useProductQuery } from './use-product-query.ts';
import { useProducts } from './use-products.ts';

const loadToday = () => import('../../today/TodayPanel.tsx').then((module) => module.TodayPanel);

interface ShopViewProps {
  onOpen: (opening: ProductOpening) => void;
  formOpen: boolean;
}

/** Where the page begins: what needs attention today, how the built pages stand, and the catalogue. */
export function ProductsView({ onOpen, formOpen }: ShopViewProps) {
  const { query, round, change } = useProductQuery();
  const [deleting, setDeleting] = useState<AdminProduct | null>(null);
  const [left, setLeft] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useProducts(query);
  const featured = useFeatured();
  const selection = useSelection();
  const rows = usePlace(list.total !== null);
  const showStock = (stock: 'low' | 'out') => {
    change({ ...allProducts, stock, sort: 'stock' });
    heading.current?.focus();
    heading.current?.scrollIntoView({ block: 'start' });
  };
  useEffect(() => {
    // The row that had the focus is gone.
    if (left > 0) heading.current?.focus();
  }, [left]);

  return (
    <>
      <LazyPart
        load={loadToday}
        props={{ onShowStock: showStock }}
        waiting={<div className="min-h-32 bg-mist" />}
      />
      <PublishBar />
      <section aria-labelledby="admin-products">
        <div className="mb-3.5 flex flex-wrap items-center justify-between gap-2">
          <h2
            id="admin-products"
            className="section-title scroll-mt-40"
            ref={heading}
            tabIndex={-1}
          >
            Products
          </h2>
          <CatalogueTools selection={selection} />
        </div>
        <DraftNotes formOpen={formOpen} onOpen={onOpen} />
        <div className="mb-4">
          <FeaturedProducts featured={featured} />
          <NoticePanel />
          <DiscountsPanel />
          <StockAlertsPanel />
        </div>
        <ProductFilters key={round} query={query} onQuery={change} />
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
            onAdd={() => onOpen({ product: null })}
            onEdit={(product) => onOpen({ product })}
            onDelete={setDeleting}
            onRestored={() => setLeft(left + 1)}
          />
        </div>
        {selection.active ? (
          <SelectionBar
            key={query.show}
            selection={selection}
            list={list}
            deleted={query.show === 'deleted'}
          />
        ) : null}
      </section>
      {deleting ? (
        <DeleteDialog
          product={deleting}
          onClose={(gone) => {
            setDeleting(null);
            if (gone) setLeft(left + 1);
          }}
        />
      ) : null}
    </>
  );
}
