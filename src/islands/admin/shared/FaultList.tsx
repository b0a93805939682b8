import type { TableFault } from '#domain/admin/table-file.ts';

const shown = 50;

interface FaultListProps {
  faults: readonly TableFault[];
  /** Leaves the rows with faults out; not given: they have to be corrected. */
  onLeaveOut?: () => void;
}

/** Every fault of a file by row and column. */
export function FaultList({ faults, onLeaveOut }: FaultListProps) {
  const one = faults.length === 1;
  const rows = new Set(faults.map(({ row }) => row)).size;
  return (
    <div className="notice notice-danger" role="alert">
      <p className="font-medium">
        {one ? 'One fault' : `${String(faults.length)} faults`} in the file. Nothing is saved until{' '}
        {one ? 'it is' : 'they are'} corrected: change the file and choose it again
        {onLeaveOut ? ', or leave these rows out' : ''}.
      </p>
      {onLeaveOut ? (
        <button type="button" className="btn btn-secondary btn-small mt-2" onClick={onLeaveOut}>
          {rows === 1 ? 'Leave this row out' : `Leave these ${String(rows)} rows out`}
        </button>
      ) : null}
      <ol className="mt-2 grid gap-1" aria-label="Faults">
        {faults.slice(0, shown).map((fault) => (
          <li key={faultText(fault)} className="wrap-anywhere">
            <b>{placeOf(fault)}</b>{' '}
            {fault.found === undefined ? null : <span>“{fault.found}”. </span>}
            {fault.message}
          </li>
        ))}
      </ol>
      {faults.length > shown ? (
        <p className="mt-2">And {faults.length - shown} more, further down.</p>
      ) : null}
    </div>
  );
}

function placeOf({ row, column }: TableFault): string {
  const places = [row === null ? '' : `Row ${String(row)}`, column ?? ''].filter(Boolean);
  return places.length === 0 ? '' : `${places.join(', ')}:`;
}

/** A fault as one sentence with its place. @public */
export const faultText = (fault: TableFault): string => `${placeOf(fault)} ${fault.message}`.trim();
