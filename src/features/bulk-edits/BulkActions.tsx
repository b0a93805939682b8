import { useState } from 'react';
import { productCount } from '#domain/admin/products/product-form.ts';
import { CategoryDialog, DeleteSeveralDialog, Problems } from './SeveralDialogs.tsx';
import { PriceDialog } from './PriceDialog.tsx';
import type { ProductList } from '#islands/admin/products/list/use-products.ts';
import { SelectionBar } from '#islands/admin/shared/SelectionBar.tsx';
import type { Selection } from '#islands/admin/shared/use-selection.ts';
import { useSeveral } from './use-several.ts';

interface BulkActionsProps {
  selection: Selection;
  /** The list that is shown. */
  list: ProductList;
  /** It is the list of deleted ones. */
  deleted: boolean;
}

/** Actions on the chosen products, at the foot of the screen. */
export function BulkActions({ selection, list, deleted }: BulkActionsProps) {
  const several = useSeveral();
  const { products, total } = list;
  const [asking, setAsking] = useState<'price' | 'category' | 'delete' | null>(null);
  // A product that left the list is not chosen any more: nothing is changed unseen.
  const chosen = products.filter(({ id }) => selection.ids.has(id));
  const all = products.length > 0 && chosen.length === (total ?? products.length);
  const ask = (what: NonNullable<typeof asking>) => {
    several.clear();
    setAsking(what);
  };
  const dialog = { several, products: chosen, onClose: () => setAsking(null) };
  const action = (label: string, onPress: () => void, className = 'btn-secondary') => (
    <button
      type="button"
      className={`btn btn-small ${className} aria-disabled:opacity-50`}
      aria-disabled={chosen.length === 0 || several.busy}
      onClick={() => chosen.length > 0 && !several.busy && onPress()}
    >
      {label}
    </button>
  );
  return (
    <SelectionBar label="Selected products">
      {asking === null ? <Problems several={several} /> : null}
      {several.deleted.length === 0 ? null : (
        <p className="notice flex flex-wrap items-center justify-between gap-2">
          {productCount(several.deleted.length)} deleted.
          <button
            type="button"
            className="btn btn-secondary btn-small"
            aria-busy={several.busy}
            onClick={() => void several.restore(several.deleted)}
          >
            Bring back
          </button>
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <span className="mr-auto" role="status">
          {chosen.length === 0
            ? 'Choose products in the list.'
            : `${productCount(chosen.length)} selected`}
        </span>
        <button
          type="button"
          className="btn btn-quiet btn-small"
          aria-busy={list.loading}
          onClick={() => {
            if (all) selection.set([]);
            else if (!list.loading) void list.all().then(selection.set);
          }}
        >
          {all ? 'Select none' : `Select all ${String(total ?? products.length)}`}
        </button>
      </div>
      <div className="flex flex-wrap gap-2">
        {deleted ? (
          action('Bring back', () => void several.restore(chosen.map(({ id }) => id)))
        ) : (
          <>
            {action('Hide', () => void several.edit(chosen, { hidden: true }))}
            {action('Show', () => void several.edit(chosen, { hidden: false }))}
            {action('Price…', () => ask('price'))}
            {action('Category…', () => ask('category'))}
            {action('Delete…', () => ask('delete'), 'btn-secondary btn-danger-line')}
          </>
        )}
        <button type="button" className="btn btn-quiet btn-small ml-auto" onClick={selection.end}>
          Done
        </button>
      </div>
      {asking === 'price' ? <PriceDialog {...dialog} /> : null}
      {asking === 'category' ? <CategoryDialog {...dialog} /> : null}
      {asking === 'delete' ? <DeleteSeveralDialog {...dialog} /> : null}
    </SelectionBar>
  );
}
