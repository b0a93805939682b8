import { useState } from 'react';
import type { WaitingStage } from '../../../../services/admin/orders/orders.ts';
import { LazyPart } from '../../shared/LazyPart.tsx';

const loadFile = () => import('./ParcelFileDialog.tsx').then((module) => module.ParcelFileDialog);
const loadImport = () =>
  import('./ParcelImportDialog.tsx').then((module) => module.ParcelImportDialog);

interface CourierToolsProps {
  /** Null when no order waits: tracking numbers of packed orders can still be imported. */
  stage: WaitingStage | null;
  onShipped: () => void;
}

/** A file for couriers of all orders of a stage, and their tracking numbers back. */
export function CourierTools({ stage, onShipped }: CourierToolsProps) {
  const [exporting, setExporting] = useState(false);
  const [importing, setImporting] = useState(false);
  return (
    <>
      {stage === null ? null : (
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
      {exporting && stage !== null ? (
        <LazyPart load={loadFile} props={{ stage, onClose: () => setExporting(false) }} />
      ) : null}
      {importing ? (
        <LazyPart load={loadImport} props={{ onClose: () => setImporting(false), onShipped }} />
      ) : null}
    </>
  );
}
