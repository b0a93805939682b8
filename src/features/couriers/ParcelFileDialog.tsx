import { useState } from 'react';
import {
  hasRowPerProduct,
  parcelColumnsSchema,
  parcelsAtOnce,
  type ParcelColumns,
} from './domain/courier-file.ts';
import { columnsOfSheet, courierSheets, questionsOf } from './domain/courier-sheets.ts';
import type { WaitingOrders } from '#services/admin/orders/orders.ts';
import { lastParcelColumns, lastSheet, parcelFile, storeSheet } from './parcels.ts';
import { OwnColumns } from './OwnColumns.tsx';
import { Field } from '#islands/shared/Field.tsx';
import { DialogFoot } from '#islands/shared/DialogFoot.tsx';
import { ModalDialog } from '#islands/shared/ModalDialog.tsx';
import { SelectField } from '#islands/admin/shared/fields/SelectField.tsx';
import { offersCash } from '#services/environment.ts';

const sheets = courierSheets.filter(({ isForCash }) => offersCash || isForCash !== true);

interface ParcelFileDialogProps {
  waiting: WaitingOrders;
  onClose: () => void;
}

/** A file for a courier: its own sheet, or columns with the headings of its sample; stored on this device. */
export function ParcelFileDialog({ waiting, onClose }: ParcelFileDialogProps) {
  const [{ courier, answers }, setSheet] = useState(lastSheet);
  const [own, setOwn] = useState<ParcelColumns>(lastParcelColumns);
  const known = sheets.find((sheet) => sheet.courier === courier);
  const columns = parcelColumnsSchema.safeParse(known ? columnsOfSheet(known, answers) : own);
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
        orders, for the courier’s bulk upload. “Import tracking numbers” reads the courier’s own
        list, or this file with the tracking numbers filled in; rows without a number are left out.
      </p>
      <SelectField
        className="mt-4"
        label="Sheet of"
        value={known?.courier ?? ''}
        options={[
          ...sheets.map((sheet) => [sheet.courier, sheet.courier] as const),
          ['', 'Another courier: columns of your own'],
        ]}
        onValue={(chosen) => setSheet({ courier: chosen, answers })}
      />
      {known ? (
        <>
          <p className="mt-3 text-sm/relaxed text-ink-500">
            Compare the first file with the sample in your account: couriers change their sheets.
          </p>
          <div className="mt-3 grid gap-3 sm:grid-cols-2">
            {questionsOf(known).map((question) => (
              <Field
                key={question}
                label={question}
                name={question}
                value={answers[question] ?? ''}
                onValue={(text) => {
                  setSheet({ courier, answers: { ...answers, [question]: text } });
                }}
              />
            ))}
          </div>
        </>
      ) : (
        <OwnColumns columns={own} onColumns={setOwn} />
      )}
      <p className="mt-3 text-sm text-ink-500">
        {columns.success && hasRowPerProduct(columns.data)
          ? 'A row for each product.'
          : 'A row for each order.'}
      </p>
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
              storeSheet({ courier, answers }, own);
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
