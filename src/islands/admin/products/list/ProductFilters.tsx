import { useEffect, useId, useState } from 'react';
import type { ProductQuery } from '#services/admin/catalogue/products.ts';
import { shop } from '#settings/shop.ts';
import { AdminIcon } from '#islands/admin/shared/AdminIcon.tsx';
import { SelectField } from '#islands/admin/shared/fields/SelectField.tsx';
import { categoryOptions } from '#islands/admin/products/category-options.ts';

const choices = {
  category: [['all', 'All Categories'], ...categoryOptions],
  stock: [
    ['all', 'All Stock'],
    ['low', `Low, under ${String(shop.limits.lowStockBelow)}`],
    ['out', 'Sold out'],
  ],
  show: [
    ['all', 'All Products'],
    ['visible', 'In the Shop'],
    ['hidden', 'Hidden'],
    ['deleted', 'Deleted'],
  ],
  sort: [
    ['newest', 'Newest'],
    ['name', 'Name A-Z'],
    ['price', 'Price'],
    ['stock', 'Lowest Stock'],
  ],
} as const;
const labels = { category: 'Category', stock: 'Stock', show: 'Show', sort: 'Sort' } as const;
type Choice = keyof typeof choices;

interface ProductFiltersProps {
  query: ProductQuery;
  onQuery: (change: Partial<ProductQuery>) => void;
}

/** Search, filters and order of the product list. */
export function ProductFilters({ query, onQuery }: ProductFiltersProps) {
  const id = useId();
  const [typed, setTyped] = useState(query.q);
  const [previous, setPrevious] = useState(query.q);
  // Cleared from outside.
  if (previous !== query.q) {
    setPrevious(query.q);
    if (query.q === '') setTyped('');
  }
  useEffect(() => {
    if (typed === query.q) return;
    const timer = setTimeout(() => onQuery({ q: typed }), 300);
    return () => {
      clearTimeout(timer);
    };
  }, [typed, query.q, onQuery]);
  return (
    <form
      role="search"
      className="grid grid-cols-2 gap-2.5 md:grid-cols-4 xl:grid-cols-[minmax(12rem,1fr)_repeat(4,10.5rem)]"
      onSubmit={(event) => {
        event.preventDefault();
        onQuery({ q: typed });
      }}
    >
      <div className="relative max-xl:col-span-full">
        <label className="visually-hidden" htmlFor={`${id}-q`}>
          Search
        </label>
        <AdminIcon name="search" className="absolute top-3.5 left-3 size-5 text-ink-500" />
        <input
          id={`${id}-q`}
          type="search"
          className="field-input appearance-none pl-10"
          placeholder="Search products"
          enterKeyHint="search"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      {(Object.keys(choices) as Choice[]).map((choice) => (
        <SelectField<string>
          key={choice}
          label={labels[choice]}
          labelHidden
          value={query[choice]}
          options={choices[choice]}
          onValue={(value) => onQuery({ [choice]: value })}
        />
      ))}
    </form>
  );
}
