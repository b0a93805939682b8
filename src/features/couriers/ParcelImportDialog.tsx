import { useState } from 'react';
import {
  guessHeadings,
  readParcels,
  type ParcelHeadings,
  type ParcelRow,
  type ParcelsAnswer,
} from './domain/parcels.ts';
import { parcelsAtOnce } from './domain/courier-file.ts';
import { readTableFile, tableTypes } from '#services/admin/read-table-file.ts';
import { createParcelsSender, lastParcelColumns } from './parcels.ts';
import { lastCarrier, storeCarrier } from '#services/admin/orders/stored-carrier.ts';
import { showToast } from '#stores/toasts.ts';
import { DialogFoot } from '#islands/shared/DialogFoot.tsx';
import { ModalDialog } from '#islands/shared/ModalDialog.tsx';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { FaultList } from '#islands/admin/shared/FaultList.tsx';
import { FileButton } from '#islands/admin/shared/fields/FileButton.tsx';
import { refetch } from '#islands/admin/shared/fetching/query-client.ts';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { listsKey } from '#islands/admin/shared/fetching/use-pages.ts';
import { ColumnFields } from '#islands/admin/shared/fields/ColumnFields.tsx';
import { CarrierField } from '#islands/admin/orders/dialogs/CarrierField.tsx';
import { readTable, type TableFault, type TableFile } from '#domain/admin/table-file.ts';

interface ParcelImportDialogProps {
  onClose: () => void;
}

const maxFileBytes = 5 * 1024 * 1024;
/** A report of a month; only its parcels of this shop, up to `parcelsAtOnce`, are shipped. */
const maxRows = 2_000;
const noHeadings: ParcelHeadings = { order: '', trackingNumber: '', carrier: '' };

type Checked = Pick<ParcelsAnswer, 'parcels'> & { faults: readonly TableFault[] };

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
  const [table, setTable] = useState<TableFile | null>(null);
  const [headings, setHeadings] = useState<ParcelHeadings>(noHeadings);
  const wanted = checked?.parcels.filter(({ same }) => !same).length ?? 0;

  const check = async (file: TableFile, chosen: ParcelHeadings) => {
    setHeadings(chosen);
    if (chosen.order === '' || chosen.trackingNumber === '') return;
    const read = readParcels(file, chosen, carrier.trim());
    if (!read.ok) {
      setChecked({ parcels: [], faults: [read.fault] });
      return;
    }
    setFile(read);
    setChecked(await send({ rows: read.rows, save: false }));
  };
  const choose = (file: File) =>
    run('The file cannot be read', async () => {
      setChecked(null);
      setTable(null);
      const reading = readTable(await readTableFile(file, maxFileBytes), maxRows);
      if (!reading.ok) {
        setChecked({ parcels: [], faults: [reading.fault] });
        return;
      }
      setTable(reading.table);
      await check(reading.table, guessHeadings(reading.table, lastParcelColumns()));
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
          The courier’s own list, or the file for a courier with its tracking numbers filled in: CSV
          or Excel, up to {parcelsAtOnce} parcels. Rows without a number are left out. Nothing is
          saved before you have seen the changes.
        </p>
        <CarrierField name="carrier" value={carrier} error={undefined} onValue={setCarrier} />
        <p className="text-sm text-ink-500">For rows that name no carrier. Choose it first.</p>
        <div>
          <FileButton
            label={checked === null && table === null ? 'Choose file' : 'Choose another file'}
            accept={tableTypes}
            disabled={busy}
            onFiles={([file]) => file && void choose(file)}
          />
        </div>
        <p className="text-sm text-ink-500" role="status">
          {busy ? 'Checking…' : ''}
        </p>
        <ActionError error={error} />
        {table === null ? null : (
          <ColumnFields
            table={table}
            fields={[
              ['order', 'Order number'],
              ['trackingNumber', 'Tracking number'],
            ]}
            headings={headings}
            onHeading={(field, heading) => {
              setChecked(null);
              void run('The file cannot be checked', () =>
                check(table, { ...headings, [field]: heading }),
              );
            }}
          />
        )}
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
