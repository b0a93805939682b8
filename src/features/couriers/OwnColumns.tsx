import {
  cashColumnKeys,
  dateForms,
  parcelColumnKeys,
  parcelHeading,
  type ParcelColumnKey,
  type ParcelColumns,
} from './domain/courier-file.ts';
import { CheckField } from '#islands/admin/shared/fields/CheckField.tsx';
import { SelectField } from '#islands/admin/shared/fields/SelectField.tsx';
import { Field } from '#islands/shared/Field.tsx';
import { offersCash } from '#services/environment.ts';

interface OwnColumnsProps {
  columns: ParcelColumns;
  onColumns: (columns: ParcelColumns) => void;
}
type Column = ParcelColumns[number];

const ofOrder = parcelColumnKeys.filter(
  (key) => key !== 'fixed' && (offersCash || !cashColumnKeys.includes(key)),
);

/** The columns of a courier's sample: which, in the shop's order, under which heading, and texts that are the same in every row. */
export function OwnColumns({ columns, onColumns }: OwnColumnsProps) {
  const fixed = columns.filter(({ key }) => key === 'fixed');
  const change = (key: ParcelColumnKey, column: Column | null) => {
    const found = new Map(columns.map((one) => [one.key, one]));
    if (column === null) found.delete(key);
    else found.set(key, column);
    onColumns([...ofOrder.flatMap((known) => found.get(known) ?? []), ...fixed]);
  };
  const changeFixed = (at: number, column: Column | null) => {
    const others = columns.filter(({ key }) => key !== 'fixed');
    const next = [
      ...fixed.slice(0, at),
      ...(column === null ? [] : [column]),
      ...fixed.slice(at + 1),
    ];
    onColumns([...others, ...next]);
  };
  return (
    <>
      <ul className="mt-4 grid gap-x-6 sm:grid-cols-2">
        {ofOrder.map((key) => {
          const column = columns.find((one) => one.key === key);
          const label = parcelHeading(key);
          return (
            <li key={key} className="border-b border-line py-1">
              <CheckField
                label={label}
                checked={column !== undefined}
                onChecked={(checked) => {
                  change(key, checked ? { key, heading: label } : null);
                }}
              />
              {column === undefined ? null : (
                <Field
                  label={`Heading of ${label}`}
                  name={key}
                  value={column.heading}
                  className="mb-2"
                  onValue={(heading) => {
                    change(key, { ...column, heading });
                  }}
                />
              )}
              {column === undefined || key !== 'date' ? null : (
                <SelectField
                  label="5 December 2026 as"
                  className="mb-2"
                  value={dateForms.find((form) => form === column.text) ?? dateForms[0]}
                  options={dateForms.map((form) => [form, form] as const)}
                  onValue={(text) => {
                    change(key, { ...column, text });
                  }}
                />
              )}
            </li>
          );
        })}
      </ul>
      <h3 className="mt-4 text-base font-medium">The same text in every row</h3>
      <ul className="grid gap-2">
        {fixed.map((column, at) => (
          <li key={at} className="grid items-end gap-2 sm:grid-cols-[1fr_1fr_auto]">
            <Field
              label={`Heading ${String(at + 1)}`}
              name={`fixed-heading-${String(at)}`}
              value={column.heading}
              onValue={(heading) => {
                changeFixed(at, { ...column, heading });
              }}
            />
            <Field
              label={`Text ${String(at + 1)}`}
              name={`fixed-text-${String(at)}`}
              value={column.text ?? ''}
              onValue={(text) => {
                changeFixed(at, { ...column, text });
              }}
            />
            <button
              type="button"
              className="btn btn-quiet btn-small"
              onClick={() => {
                changeFixed(at, null);
              }}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        className="btn btn-secondary btn-small mt-2"
        onClick={() => {
          onColumns([
            ...columns,
            { key: 'fixed', heading: `Column ${String(fixed.length + 1)}`, text: '' },
          ]);
        }}
      >
        Add a column
      </button>
    </>
  );
}
