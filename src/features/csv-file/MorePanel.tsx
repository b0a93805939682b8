import { useState } from 'react';
import { allProducts, fetchProducts } from '#services/admin/catalogue/products.ts';
import { LazyPart } from '#islands/admin/shared/fetching/LazyPart.tsx';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';

const loadFile = () => import('./FileDialog.tsx').then((module) => module.FileDialog);

export const order = 60;

/** The way to the catalogue as a file. */
export function MorePanel() {
  const [total, setTotal] = useState<number | null>(null);
  const { busy, error, run } = useAction();
  const open = () =>
    run('The file cannot be opened', async () => {
      setTotal((await fetchProducts(allProducts, { offset: 0, count: 1 })).total);
    });
  return (
    <>
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-2 text-sm/relaxed">
        <span>
          <span className="font-medium">All products in a spreadsheet</span>{' '}
          <span className="text-ink-500">to change many at once, or to begin with</span>
        </span>
        <button
          type="button"
          className="btn btn-secondary btn-small"
          aria-busy={busy}
          onClick={() => void open()}
        >
          Import, export
        </button>
      </p>
      <ActionError error={error} />
      {total === null ? null : (
        <LazyPart load={loadFile} props={{ total, onClose: () => setTotal(null) }} />
      )}
    </>
  );
}
