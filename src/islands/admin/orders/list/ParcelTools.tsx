import { useState } from 'react';
import type { OrderFilter } from '../../../../domain/admin/orders/orders.ts';
import {
  orderDocuments,
  type OrdersPart,
  type WaitingStage,
} from '../../../../services/admin/orders/orders.ts';
import { LazyPart } from '../../shared/LazyPart.tsx';

const loadImport = () =>
  import('../parcels/ParcelImportDialog.tsx').then((module) => module.ParcelImportDialog);

interface ParcelToolsProps {
  filter: OrderFilter;
  counts: OrdersPart['counts'] | undefined;
  onShipped: () => void;
}

/** Slips, labels and couriers' files of all orders that wait to be packed, or that are packed; and their tracking numbers back. */
export function ParcelTools({ filter, counts, onShipped }: ParcelToolsProps) {
  const [importing, setImporting] = useState(false);
  if (filter !== 'all' && filter !== 'to_pack' && filter !== 'packed') return null;
  const stage = filter === 'packed' ? 'packed' : 'to_pack';
  const count = counts?.[stage] ?? 0;
  if (count === 0 && (counts?.packed ?? 0) === 0) return null;
  return (
    <div className="mb-4">
      {count === 0 ? null : (
        <p>
          <a
            className="btn btn-secondary btn-small"
            href={orderDocuments.packingSlips(stage)}
            target="_blank"
            rel="noopener"
          >
            Print slips
            <span className="ml-1 font-normal text-ink-500">
              of {count} {stage === 'packed' ? 'packed' : 'to pack'}
            </span>
            <span className="visually-hidden"> (opens in a new tab)</span>
          </a>
          {filter === 'all' ? null : (
            <span className="ml-3 text-sm text-ink-500">Oldest first</span>
          )}
        </p>
      )}
      <details className="mt-2 text-sm/relaxed">
        <summary className="min-h-11 py-2.5 font-medium">Labels and couriers</summary>
        <div className="flex flex-wrap gap-2 pb-2">
          {count === 0 ? null : <StageFiles stage={stage} />}
          <button
            type="button"
            className="btn btn-secondary btn-small"
            onClick={() => {
              setImporting(true);
            }}
          >
            Import tracking numbers
          </button>
        </div>
      </details>
      {importing ? (
        <LazyPart load={loadImport} props={{ onClose: () => setImporting(false), onShipped }} />
      ) : null}
    </div>
  );
}

/** Labels and files of a stage. */
function StageFiles({ stage }: { stage: WaitingStage }) {
  return (
    <>
      {(['a4', 'thermal'] as const).map((sheet) => (
        <a
          key={sheet}
          className="btn btn-secondary btn-small"
          href={orderDocuments.labels(stage, sheet)}
          target="_blank"
          rel="noopener"
        >
          {sheet === 'a4' ? 'Labels, four to an A4 sheet' : 'Labels, thermal'}
          <span className="visually-hidden"> (opens in a new tab)</span>
        </a>
      ))}
      {(['shiprocket', 'india-post'] as const).map((courier) => (
        <a
          key={courier}
          className="btn btn-secondary btn-small"
          href={orderDocuments.courierFile(stage, courier)}
          download
        >
          {courier === 'shiprocket' ? 'Shiprocket' : 'India Post'} file
          <span className="visually-hidden"> (CSV)</span>
        </a>
      ))}
    </>
  );
}
