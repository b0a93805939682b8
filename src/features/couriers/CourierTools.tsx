import { useState } from 'react';
import type { WaitingOrders } from '#services/admin/orders/orders.ts';
import { LazyPart } from '#islands/admin/shared/fetching/LazyPart.tsx';

const loadFile = () => import('./ParcelFileDialog.tsx').then((module) => module.ParcelFileDialog);
const loadImport = () =>
  import('./ParcelImportDialog.tsx').then((module) => module.ParcelImportDialog);

interface CourierToolsProps {
  /** Null when no order waits: tracking numbers of packed orders can still be imported. */
  waiting: WaitingOrders | null;
}

/** A file for couriers of waiting orders, and their tracking numbers back. */
export function CourierTools({ waiting }: CourierToolsProps) {
  const [exporting, setExporting] = useState(false);
  const [importing, setImporting] = useState(false);
  return (
    <>
      {waiting === null ? null : (
        <button
          type="button"
          className="btn btn-secondary btn-small"
          onClick={() => {
            setExporting(true);
          }}
        >
          File for a courier
        </button>
      )}
      <button
        type="button"
        className="btn btn-secondary btn-small"
        onClick={() => {
          setImporting(true);
        }}
      >
        Import tracking numbers
      </button>
      {exporting && waiting !== null ? (
        <LazyPart load={loadFile} props={{ waiting, onClose: () => setExporting(false) }} />
      ) : null}
      {importing ? (
        <LazyPart load={loadImport} props={{ onClose: () => setImporting(false) }} />
      ) : null}
    </>
  );
}
