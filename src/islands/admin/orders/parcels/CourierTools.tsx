import { useState } from 'react';
import type { WaitingStage } from '../../../../services/admin/orders/orders.ts';
import { courierFile } from '../../../../services/admin/orders/parcels.ts';
import { LazyPart } from '../../shared/LazyPart.tsx';

const loadImport = () =>
  import('./ParcelImportDialog.tsx').then((module) => module.ParcelImportDialog);

interface CourierToolsProps {
  /** Null when no order waits: tracking numbers of packed orders can still be imported. */
  stage: WaitingStage | null;
  onShipped: () => void;
}

/** Couriers' files of all orders of a stage, and their tracking numbers back. */
export function CourierTools({ stage, onShipped }: CourierToolsProps) {
  const [importing, setImporting] = useState(false);
  return (
    <>
      {stage === null
        ? null
        : (['shiprocket', 'india-post'] as const).map((courier) => (
            <a
              key={courier}
              className="btn btn-secondary btn-small"
              href={courierFile(stage, courier)}
              download
            >
              {courier === 'shiprocket' ? 'Shiprocket' : 'India Post'} file
              <span className="visually-hidden"> (CSV)</span>
            </a>
          ))}
      <button
        type="button"
        className="btn btn-secondary btn-small"
        onClick={() => {
          setImporting(true);
        }}
      >
        Import tracking numbers
      </button>
      {importing ? (
        <LazyPart load={loadImport} props={{ onClose: () => setImporting(false), onShipped }} />
      ) : null}
    </>
  );
}
