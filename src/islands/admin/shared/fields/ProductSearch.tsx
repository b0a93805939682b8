import { useEffect, useState, type ReactNode } from 'react';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { chargedPrice } from '#domain/catalogue/product.ts';
import { formatRupees } from '#domain/money.ts';
import { allProducts, fetchProducts } from '#services/admin/catalogue/products.ts';
import { ProductImage } from '#islands/shared/ProductImage.tsx';
import { Field } from '#islands/shared/Field.tsx';
import { catalogueKey } from '#islands/admin/shared/catalogue-edits.ts';
import { LoadState } from '#islands/admin/shared/fetching/LoadState.tsx';
import { useFetched } from '#islands/admin/shared/fetching/use-fetched.ts';

const shown = 6;
const pauseMs = 250;

interface ProductSearchProps {
  name: string;
  label: string;
  error?: string | undefined;
  /** The action on a product that was found. */
  actions: (product: AdminProduct) => ReactNode;
}

/** Finds products by their name, with the stock of this moment. */
export function ProductSearch({ name, label, error, actions }: ProductSearchProps) {
  const [typed, setTyped] = useState('');
  const [wanted, setWanted] = useState('');
  const text = typed.trim();
  useEffect(() => {
    const timer = setTimeout(() => setWanted(text), pauseMs);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  const { data: found, ...state } = useFetched({
    queryKey: [...catalogueKey, 'search', wanted],
    queryFn: ({ signal }) =>
      fetchProducts(
        { ...allProducts, q: wanted, sort: 'name' },
        { offset: 0, count: shown, signal },
      ),
    enabled: wanted !== '',
  });
  const rows = text === '' ? [] : (found?.products ?? []);

  return (
    <>
      <Field
        name={name}
        label={label}
        error={error}
        hint="By a part of its name"
        type="search"
        autoComplete="off"
        value={typed}
        onValue={setTyped}
        onKeyDown={(event) => {
          // Enter looks for it, and sends no half-filled order.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      {text === '' ? null : (
        <LoadState {...state} shown={found !== null} failed="The products could not be searched" />
      )}
      <ul className={rows.length === 0 ? '' : 'border-t border-line'} aria-label="Products found">
        {rows.map((product) => (
          <li
            key={product.id}
            className="flex flex-wrap items-center gap-3 border-b border-line py-2"
          >
            <ProductImage entry={product.images[0]} width={48} className="w-12" />
            <span className="min-w-0 flex-1">
              <span className="block wrap-anywhere">{product.name}</span>
              <span className="text-sm text-ink-500">
                {formatRupees(chargedPrice(product))} ·{' '}
                {product.stock === 0 ? 'out of stock' : `${String(product.stock)} in stock`}
                {product.hidden ? ' · hidden' : ''}
              </span>
            </span>
            {actions(product)}
          </li>
        ))}
      </ul>
      <p className="text-sm text-ink-500" role="status">
        {text === '' || found === null
          ? ''
          : found.total === 0
            ? 'No product found'
            : found.total > shown
              ? `${String(found.total)} products match; type more of the name.`
              : ''}
      </p>
    </>
  );
}
