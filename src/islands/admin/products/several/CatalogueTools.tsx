import { useState } from 'react';
import { fetchProducts } from '../../../../services/admin/catalogue/products.ts';
import { LazyPart } from '../../shell/LazyPart.tsx';
import { ActionError } from '../../shared/ActionError.tsx';
import { useAction } from '../../shared/use-action.ts';
import { allProducts } from '../list/products-address.ts';
import type { Selection } from './use-selection.ts';

const loadFile = () => import('../file/FileDialog.tsx').then((module) => module.FileDialog);

/** What is done to more than one product: choosing several, and the catalogue as a file. */
export function CatalogueTools({ selection }: { selection: Selection }) {
  const [total, setTotal] = useState<number | null>(null);
  const { busy, error, run } = useAction();
  const open = () =>
    run('The file cannot be opened', async () => {
      setTotal((await fetchProducts(allProducts, { offset: 0, count: 1 })).total);
    });
  return (
    <div className="flex flex-wrap gap-2">
      <button
        type="button"
        className="btn btn-secondary btn-small"
        aria-pressed={selection.active}
        onClick={selection.active ? selection.end : selection.start}
      >
        {selection.active ? 'Done' : 'Select'}
      </button>
      <button
        type="button"
        className="btn btn-secondary btn-small"
        aria-busy={busy}
        onClick={() => void open()}
      >
        Import, export
      </button>
      <ActionError error={error} />
      {total === null ? null : (
        <LazyPart load={loadFile} props={{ total, onClose: () => setTotal(null) }} />
      )}
    </div>
  );
}
