import { useState } from 'react';
import { readParcelFile, type ParcelRow, type ParcelsAnswer } from './domain/parcels.ts';
import { parcelsAtOnce } from './domain/courier-file.ts';
import { readCsvFile } from '../../services/admin/read-csv-file.ts';
import { createParcelsSender, lastParcelColumns } from './parcels.ts';
import { lastCarrier, storeCarrier } from '../../services/admin/orders/stored-carrier.ts';
import { showToast } from '../../stores/toasts.ts';
import { DialogFoot } from '../../islands/shared/DialogFoot.tsx';
import { ModalDialog } from '../../islands/shared/ModalDialog.tsx';
import { ActionError } from '../../islands/admin/shared/ActionError.tsx';
import { FaultList } from '../../islands/admin/shared/FaultList.tsx';
import { csvTypes, FileButton } from '../../islands/admin/shared/fields/FileButton.tsx';
import { refetch } from '../../islands/admin/shared/fetching/query-client.ts';
import { useAction } from '../../islands/admin/shared/use-action.ts';
import { listsKey } from '../../islands/admin/shared/fetching/use-pages.ts';
import { CarrierField } from '../../islands/admin/orders/dialogs/CarrierField.tsx';
import type { CsvFault } from '../../domain/admin/csv-table.ts';

interface ParcelImportDialogProps {
  onClose: () => void;
}

type Checked = Pick<ParcelsAnswer, 'parcels'> & { faults: readonly CsvFault[] };

const orders = (count: number): string => (count === 1 ? '1 order' : `${String(count)} orders`);

/** Tracking numbers from a file: every fault by row, or what would be shipped; then all at once. */
export function ParcelImportDialog({ onClose }: ParcelImportDialogProps) {
  const [carrier, setCarrier] = useState(lastCarrier);
  const { busy, error, run } = useAction();
  const [send] = useState(createParcelsSender);
  const [{ rows, empty }, setFile] = useState<{ rows: readonly ParcelRow[]; empty: number }>({
    rows: [],
    empty: 0,
  });
  const [checked, setChecked] = useState<Checked | null>(null);
  const wanted = checked?.parcels.filter(({ same }) => !same).length ?? 0;

  const choose = (file: File) =>
    run('The file cannot be read', async () => {
      setChecked(null);
      const read = readParcelFile(await readCsvFile(file), carrier.trim(), lastParcelColumns());
      if (!read.ok) {
        setChecked({ parcels: [], faults: [read.fault] });
        return;
      }
      setFile(read);
      setChecked(await send({ rows: read.rows, save: false }));
    });
  const ship = () =>
    run('Nothing was shipped', async () => {
      const answer = await send({ rows: [...rows], save: true });
      setChecked(answer);
      if (!answer.saved) return;
      storeCarrier(carrier.trim());
      showToast(`${orders(wanted)} shipped`, {
        description: 'The customers are notified by e-mail.',
        tone: 'success',
      });
      refetch(listsKey);
      onClose();
    });

  return (
    <ModalDialog
      open
      title="Import tracking numbers"
      closable={!busy}
      onClose={onClose}
      className="dialog-full sm:w-[min(46rem,calc(100vw-2rem))]"
    >
      <div className="mt-4 grid grid-cols-1 gap-4">
        <p className="text-sm/relaxed text-ink-700">
          A CSV file with the columns Order, Tracking number and Carrier, up to {parcelsAtOnce}{' '}
          parcels, or the file for a courier with its tracking numbers filled in. Rows without a
          number are left out. Nothing is saved before you have seen the changes.
        </p>
        <CarrierField name="carrier" value={carrier} error={undefined} onValue={setCarrier} />
        <p className="text-sm text-ink-500">For rows that name no carrier. Choose it first.</p>
        <div>
          <FileButton
            label={checked === null ? 'Choose CSV file' : 'Choose another CSV file'}
            accept={csvTypes}
            disabled={busy}
            onFiles={([file]) => file && void choose(file)}
          />
        </div>
        <p className="text-sm text-ink-500" role="status">
          {busy ? 'Checking…' : ''}
        </p>
        <ActionError error={error} />
        {checked === null ? null : checked.faults.length > 0 ? (
          <FaultList faults={checked.faults} />
        ) : (
          <>
            <p>
              {wanted === 0
                ? 'Nothing would change: all of these are already shipped with these numbers.'
                : `${orders(wanted)} would be shipped, and the customers notified by e-mail.`}
            </p>
            {empty === 0 ? null : (
              <p className="text-sm/relaxed text-ink-500">
                {empty === 1
                  ? '1 row without a tracking number is left out.'
                  : `${String(empty)} rows without a tracking number are left out.`}
              </p>
            )}
            <ol
              className="max-h-60 overflow-y-auto border-y border-line text-sm/relaxed"
              tabIndex={0}
              aria-label="Parcels, row by row"
            >
              {checked.parcels.map((parcel) => (
                <li
                  key={parcel.row}
                  className="border-b border-line py-1.5 wrap-anywhere last:border-0"
                >
                  <span className="text-ink-500">Row {parcel.row}</span> {parcel.order}{' '}
                  {parcel.customerName}
                  <span className="block text-ink-500">
                    {parcel.carrier}, {parcel.trackingNumber}
                    {parcel.same ? ', shipped already' : ''}
                  </span>
                  {parcel.note === null ? null : <span className="block">{parcel.note}</span>}
                </li>
              ))}
            </ol>
            {wanted === 0 ? null : (
              <DialogFoot>
                <button
                  type="button"
                  className="btn btn-primary"
                  aria-busy={busy}
                  onClick={() => void ship()}
                >
                  {busy ? 'Saving…' : `Ship ${orders(wanted)}`}
                </button>
              </DialogFoot>
            )}
          </>
        )}
      </div>
    </ModalDialog>
  );
}
