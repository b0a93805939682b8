import type { CsvFault } from '../../../domain/admin/csv-table.ts';

const shown = 50;

/** Every fault of a file by row and column. */
export function FaultList({ faults }: { faults: readonly CsvFault[] }) {
  const one = faults.length === 1;
  return (
    <div className="notice notice-danger" role="alert">
      <p className="font-medium">
        {one ? 'One fault' : `${String(faults.length)} faults`} in the file. Nothing is saved until{' '}
        {one ? 'it is' : 'they are'} corrected: change the file and choose it again.
      </p>
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

const placeOf = ({ row, column }: CsvFault): string =>
  row === null ? '' : `Row ${String(row)}${column === null ? '' : `, ${column}`}:`;

/** A fault as one sentence with its place. @public */
export const faultText = (fault: CsvFault): string => `${placeOf(fault)} ${fault.message}`.trim();
