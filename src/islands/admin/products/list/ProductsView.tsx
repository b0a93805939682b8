import { useCallback, useEffect, useRef, useState } from 'react';
import type { AdminProduct } from '../../../../domain/admin/product-input.ts';
import type { ProductQuery } from '../../../../services/admin/products.ts';
import { LazyPart } from '../../shell/LazyPart.tsx';
import { PublishBar } from '../../publish/PublishBar.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { DraftNotes } from '../form/DraftNotes.tsx';
import type { ProductOpening } from '../form/product-model.ts';
import { FeaturedProducts } from './FeaturedProducts.tsx';
import { ProductFilters } from './ProductFilters.tsx';
import { ProductResults } from './ProductResults.tsx';
import { useFeatured } from './use-featured.ts';
import { useProducts } from './use-products.ts';

const everything: ProductQuery = { q: '', category: 'all', stock: 'all', show: 'all', sort: 'newest' };
const loadToday = () => import('../../today/TodayPanel.tsx').then((module) => module.TodayPanel);

interface ShopViewProps {
  onOpen: (opening: ProductOpening) => void;
  formOpen: boolean;
}

/** Where the page begins: what needs attention today, how the built pages stand, and the catalogue. */
export function ProductsView({ onOpen, formOpen }: ShopViewProps) {
  const [query, setQuery] = useState(everything);
  const [deleting, setDeleting] = useState<AdminProduct | null>(null);
  const [left, setLeft] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useProducts(query);
  const featured = useFeatured();
  const change = useCallback((part: Partial<ProductQuery>) => {
    setQuery((before) => ({ ...before, ...part }));
  }, []);
  const showStock = useCallback((stock: 'low' | 'out') => {
    setQuery({ ...everything, stock, sort: 'stock' });
    heading.current?.focus();
    heading.current?.scrollIntoView({ block: 'start' });
  }, []);
  useEffect(() => {
    // The row that had the focus is gone.
    if (left > 0) heading.current?.focus();
  }, [left]);

  return (
    <>
      <LazyPart load={loadToday} props={{ onShowStock: showStock }} waiting={<div className="min-h-32 bg-mist" />} />
      <PublishBar />
      <section aria-labelledby="admin-products">
        <h2 id="admin-products" className="section-title mb-3.5 scroll-mt-40" ref={heading} tabIndex={-1}>
          Products
        </h2>
        <DraftNotes formOpen={formOpen} onOpen={onOpen} />
        <FeaturedProducts featured={featured} />
        <ProductFilters query={query} onQuery={change} />
        <ProductResults
          list={list}
          featured={featured}
          filtered={query.q.trim() !== '' || query.category !== 'all' || query.stock !== 'all' || query.show !== 'all'}
          onClear={() => setQuery(everything)}
          onAdd={() => onOpen({ product: null })}
          onEdit={(product) => onOpen({ product })}
          onDelete={setDeleting}
          onRestored={() => setLeft(left + 1)}
        />
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
