import { useState } from 'react';
import {
  parcelColumnKeys,
  parcelColumnsSchema,
  parcelHeading,
  parcelsAtOnce,
  type ParcelColumnKey,
} from './domain/courier-file.ts';
import type { WaitingOrders } from '../../services/admin/orders/orders.ts';
import { lastParcelColumns, parcelFile, storeParcelColumns } from './parcels.ts';
import { Field } from '../../islands/shared/Field.tsx';
import { DialogFoot } from '../../islands/shared/DialogFoot.tsx';
import { ModalDialog } from '../../islands/shared/ModalDialog.tsx';
import { CheckField } from '../../islands/admin/shared/fields/CheckField.tsx';

interface ParcelFileDialogProps {
  waiting: WaitingOrders;
  onClose: () => void;
}

/** The columns of a file for a courier, with the headings of the courier's sample; stored on this device. */
export function ParcelFileDialog({ waiting, onClose }: ParcelFileDialogProps) {
  const [headings, setHeadings] = useState(
    () => new Map(lastParcelColumns().map(({ key, heading }) => [key, heading])),
  );
  const change = (key: ParcelColumnKey, heading: string | null) => {
    const next = new Map(headings);
    if (heading === null) next.delete(key);
    else next.set(key, heading);
    setHeadings(next);
  };
  const columns = parcelColumnsSchema.safeParse(
    parcelColumnKeys.flatMap((key) => {
      const heading = headings.get(key);
      return heading === undefined ? [] : [{ key, heading }];
    }),
  );
  return (
    <ModalDialog
      open
      title="File for a courier"
      onClose={onClose}
      className="dialog-full sm:w-[min(46rem,calc(100vw-2rem))]"
    >
      <p className="mt-4 text-sm/relaxed text-ink-700">
        A CSV file with{' '}
        {waiting.chosen === null
          ? `the oldest ${String(parcelsAtOnce)}`
          : `the ${String(waiting.chosen.length)} chosen`}{' '}
        orders, for the courier’s bulk upload. Choose the columns, and name them as the courier’s
        sample does. With the tracking numbers filled in, “Import tracking numbers” reads it; rows
        without a number are left out.
      </p>
      <ul className="mt-4 grid gap-x-6 sm:grid-cols-2">
        {parcelColumnKeys.map((key) => {
          const heading = headings.get(key);
          return (
            <li key={key} className="border-b border-line py-1">
              <CheckField
                label={parcelHeading(key)}
                checked={heading !== undefined}
                onChecked={(checked) => {
                  change(key, checked ? parcelHeading(key) : null);
                }}
              />
              {heading === undefined ? null : (
                <Field
                  label={`Heading of ${parcelHeading(key)}`}
                  name={key}
                  value={heading}
                  className="mb-2"
                  onValue={(text) => {
                    change(key, text);
                  }}
                />
              )}
            </li>
          );
        })}
      </ul>
      <p className="field-error mt-3" role="alert">
        {columns.success ? '' : columns.error.issues[0]?.message}
      </p>
      {columns.success ? (
        <DialogFoot>
          <a
            className="btn btn-primary"
            href={parcelFile(waiting, columns.data)}
            download
            onClick={() => {
              storeParcelColumns(columns.data);
              onClose();
            }}
          >
            Download the file
          </a>
        </DialogFoot>
      ) : null}
    </ModalDialog>
  );
}
