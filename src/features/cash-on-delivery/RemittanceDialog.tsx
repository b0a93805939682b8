import { useState } from 'react';
import { readTable, type TableFault, type TableFile } from '#domain/admin/table-file.ts';
import { formatRupees } from '#domain/money.ts';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { FaultList } from '#islands/admin/shared/FaultList.tsx';
import { refetch } from '#islands/admin/shared/fetching/query-client.ts';
import { listsKey } from '#islands/admin/shared/fetching/use-pages.ts';
import { ColumnFields } from '#islands/admin/shared/fields/ColumnFields.tsx';
import { FileButton } from '#islands/admin/shared/fields/FileButton.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { DialogFoot } from '#islands/shared/DialogFoot.tsx';
import { ModalDialog } from '#islands/shared/ModalDialog.tsx';
import { callAdmin } from '#services/admin/api.ts';
import { readTableFile, tableTypes } from '#services/admin/read-table-file.ts';
import { showToast } from '#stores/toasts.ts';
import { RemittanceResult } from './RemittanceResult.tsx';
import { cashApi, maxRemittanceRows } from './domain/cash-api.ts';
import {
  areEnough,
  guessRemittanceHeadings,
  readRemittance,
  type RemittanceFile,
  type RemittanceHeadings,
} from './domain/remittance-file.ts';
import { remittanceReport, type RemittanceReport } from './domain/remittance-report.ts';

const maxFileBytes = 5 * 1024 * 1024;
const fields = [
  ['trackingNumber', 'Tracking number'],
  ['order', 'Order number'],
  ['amount', 'Amount'],
  ['reference', 'Reference, such as UTR (optional)'],
] as const;

const orders = (count: number): string => (count === 1 ? '1 order' : `${String(count)} orders`);

/** A file, its columns, and what was read of it. */
interface Chosen {
  table: TableFile;
  headings: RemittanceHeadings;
  /** Null until the columns are chosen. */
  file: RemittanceFile | null;
}

/** A courier's list of transferred cash: what it pays and what not; then all of it that can be recorded at once. */
export function RemittanceDialog({ onClose }: { onClose: () => void }) {
  const { busy, error, run } = useAction();
  const [fault, setFault] = useState<TableFault | null>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [report, setReport] = useState<RemittanceReport | null>(null);
  const [saved, setSaved] = useState(false);
  const file = chosen?.file ?? null;

  const send = async ({ rows }: RemittanceFile, save: boolean): Promise<RemittanceReport> => {
    const answer = await callAdmin(cashApi.remittance, { body: { rows, save } });
    return remittanceReport(answer, rows);
  };
  /** Shows what the list would do, without its rows with faults once the admin leaves them out. */
  const preview = async (read: RemittanceFile) => {
    setReport(null);
    if (read.faults.length === 0 && read.rows.length > 0) setReport(await send(read, false));
  };
  const check = async (table: TableFile, headings: RemittanceHeadings) => {
    const read = areEnough(headings) ? readRemittance(table, headings) : null;
    setSaved(false);
    setReport(null);
    setChosen({ table, headings, file: read });
    if (read !== null) await preview(read);
  };
  const choose = (from: File) =>
    run('The file cannot be read', async () => {
      setFault(null);
      setReport(null);
      setChosen(null);
      const reading = readTable(await readTableFile(from, maxFileBytes), maxRemittanceRows);
      if (reading.ok) await check(reading.table, guessRemittanceHeadings(reading.table));
      else setFault(reading.fault);
    });
  const leaveOut = () =>
    run('The file cannot be checked', async () => {
      if (chosen === null || file === null) return;
      const kept = { ...file, faults: [] };
      setChosen({ ...chosen, file: kept });
      await preview(kept);
    });
  const record = () =>
    run('Nothing is recorded', async () => {
      if (file === null) return;
      const done = await send(file, true);
      const { count, sum } = done.received;
      showToast(`${orders(count)} paid`, {
        description: `${formatRupees(sum)} of cash is recorded.`,
        tone: 'success',
      });
      refetch(listsKey);
      if (done.groups.length === 0 && done.missing.length === 0) {
        onClose();
        return;
      }
      setSaved(true);
      setReport(done);
    });

  const count = report?.received.count ?? 0;
  return (
    <ModalDialog
      open
      title="Cash from a courier"
      closable={!busy}
      onClose={onClose}
      className="dialog-full sm:w-[min(46rem,calc(100vw-2rem))]"
    >
      <div className="mt-4 grid grid-cols-1 gap-4">
        <p className="text-sm/relaxed text-ink-700">
          The courier’s list of the cash that it has transferred to you: CSV or Excel, up to{' '}
          {maxRemittanceRows.toLocaleString('en-IN')} rows. Nothing is saved before you have seen
          what it pays.
        </p>
        <div>
          <FileButton
            label={chosen === null && fault === null ? 'Choose file' : 'Choose another file'}
            accept={tableTypes}
            disabled={busy}
            onFiles={([from]) => from && void choose(from)}
          />
        </div>
        <p className="text-sm text-ink-500" role="status">
          {busy ? 'Checking…' : ''}
        </p>
        <ActionError error={error} />
        {fault === null ? null : <FaultList faults={[fault]} />}
        {chosen === null ? null : (
          <ColumnFields
            table={chosen.table}
            fields={fields}
            headings={chosen.headings}
            onHeading={(field, heading) => {
              void run('The file cannot be checked', () =>
                check(chosen.table, { ...chosen.headings, [field]: heading }),
              );
            }}
          />
        )}
        {chosen !== null && file === null ? (
          <p className="text-sm text-ink-700">
            Choose the amount, and the tracking number or the order number.
          </p>
        ) : null}
        {file === null || file.faults.length === 0 ? null : (
          <FaultList
            faults={file.faults}
            {...(file.rows.length > 0 && { onLeaveOut: () => void leaveOut() })}
          />
        )}
        {file !== null && file.faults.length === 0 && file.rows.length === 0 ? (
          <p>No row of this list has cash.</p>
        ) : null}
        {report === null || file === null ? null : (
          <RemittanceResult report={report} file={file} saved={saved} />
        )}
        {count === 0 || saved ? null : (
          <DialogFoot>
            <button
              type="button"
              className="btn btn-primary"
              aria-busy={busy}
              onClick={() => void record()}
            >
              {busy ? 'Saving…' : `Record ${orders(count)} as paid`}
            </button>
          </DialogFoot>
        )}
        {saved ? (
          <DialogFoot>
            <button type="button" className="btn btn-primary" onClick={onClose}>
              Close
            </button>
          </DialogFoot>
        ) : null}
      </div>
    </ModalDialog>
  );
}
