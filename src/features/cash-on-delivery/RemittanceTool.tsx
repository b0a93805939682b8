import { useState } from 'react';
import { LazyPart } from '#islands/admin/shared/fetching/LazyPart.tsx';

const load = () => import('./RemittanceDialog.tsx').then((module) => module.RemittanceDialog);

/** Reads a courier's list of the cash that it has transferred. */
export function RemittanceTool() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="btn btn-secondary btn-small"
        onClick={() => {
          setOpen(true);
        }}
      >
        Cash from a courier
      </button>
      {open ? <LazyPart load={load} props={{ onClose: () => setOpen(false) }} /> : null}
    </>
  );
}
