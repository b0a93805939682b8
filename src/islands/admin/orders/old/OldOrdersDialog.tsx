import { useState } from 'react';
import { isoDateInIndia } from '../../../../domain/india-month.ts';
import {
  oldOrdersTemplate,
  readOldOrders,
  type OldOrder,
  type OldOrdersOutcome,
} from '../../../../domain/admin/orders/old-orders.ts';
import type { CsvFault } from '../../../../domain/admin/csv-table.ts';
import { readCsvFile } from '../../../../services/admin/catalogue/csv-file.ts';
import { importOldOrders } from '../../../../services/admin/orders/old-orders.ts';
import { showToast } from '../../../../stores/toasts.ts';
import { ModalDialog } from '../../../shared/ModalDialog.tsx';
import { ActionError } from '../../shared/ActionError.tsx';
import { FaultList } from '../../shared/FaultList.tsx';
import { csvTypes, FileButton } from '../../shared/FileButton.tsx';
import { useAction } from '../../shared/use-action.ts';

interface Read {
  name: string;
  orders: OldOrder[];
  faults: CsvFault[];
  unknown: string[];
  outcome: OldOrdersOutcome | null;
}

const orderCount = (count: number): string => (count === 1 ? '1 order' : `${String(count)} orders`);

/** Takes orders of before in from a CSV file, after a look at what that would do. */
export function OldOrdersDialog({ onClose }: { onClose: (taken: boolean) => void }) {
  const [read, setRead] = useState<Read | null>(null);
  const { busy, error, run } = useAction();
  const choose = (file: File) =>
    run('The file was not read', async () => {
      setRead(null);
      const reading = readOldOrders(
        await readCsvFile(file),
        isoDateInIndia(new Date().toISOString()),
      );
      const common = { name: file.name, unknown: reading.unknown };
      setRead(
        reading.ok
          ? {
              ...common,
              orders: reading.orders,
              faults: [],
              outcome: await importOldOrders(reading.orders, false),
            }
          : { ...common, orders: [], faults: reading.faults, outcome: null },
      );
    });
  const save = async () => {
    if (!read) return;
    const done = await run('Nothing was taken in', async () => {
      const { added, changed } = await importOldOrders(read.orders, true);
      showToast('Saved', {
        description: `${orderCount(added)} added, ${String(changed)} changed.`,
        tone: 'success',
      });
    });
    if (done) onClose(true);
  };
  const outcome = read?.outcome;
  const wanted = outcome ? outcome.added + outcome.changed : 0;
  return (
    <ModalDialog
      open
      title="Import old orders"
      closable={!busy}
      onClose={() => onClose(false)}
      className="w-[min(42rem,calc(100vw-2rem))]"
    >
      <div className="mt-4 grid grid-cols-1 gap-4">
        <p className="text-sm/relaxed text-ink-700">
          A CSV file with Number, Date (the day first: 31-08-2024), Name, Phone, Email, Items, Total
          and Paid; up to 2,000 rows and 2 MB. A number that is here already is corrected. Old
          orders are records alone: they move no stock and no money, get no invoice, and nobody is
          mailed.
        </p>
        <div className="flex flex-wrap gap-2">
          <FileButton
            label={read === null ? 'Choose CSV file' : 'Choose another CSV file'}
            accept={csvTypes}
            disabled={busy}
            onFiles={([file]) => file && void choose(file)}
          />
          <a
            className="btn btn-quiet btn-small"
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(oldOrdersTemplate())}`}
            download="old-orders-template.csv"
          >
            Empty template
          </a>
        </div>
        {read ? <p className="text-sm/relaxed text-ink-500">{read.name}</p> : null}
        <ActionError error={error} />
        {read && read.faults.length > 0 ? <FaultList faults={read.faults} /> : null}
        {read && read.unknown.length > 0 ? (
          <p className="notice">
            Columns that the shop does not know, and does not read:{' '}
            {read.unknown.slice(0, 8).join(', ')}.
          </p>
        ) : null}
        {outcome ? (
          <p role="status">
            <b>{orderCount(outcome.added)}</b> would be added and <b>{outcome.changed}</b>{' '}
            corrected.{' '}
            {outcome.same === 0 ? '' : `${orderCount(outcome.same)} in the file are here already.`}
          </p>
        ) : null}
        {wanted > 0 ? (
          <p>
            <button
              type="button"
              className="btn btn-primary"
              aria-busy={busy}
              onClick={() => void save()}
            >
              {busy ? 'Saving…' : `Take in ${orderCount(wanted)}`}
            </button>
          </p>
        ) : null}
      </div>
    </ModalDialog>
  );
}
