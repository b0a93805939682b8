import { useId } from 'react';
import { catalogueTemplate, exportedRows } from './domain/catalogue-csv.ts';
import { catalogueExport } from './catalogue-file.ts';
import { DialogFoot } from '#islands/shared/DialogFoot.tsx';
import { ModalDialog } from '#islands/shared/ModalDialog.tsx';
import { FileButton } from '#islands/admin/shared/fields/FileButton.tsx';
import { tableTypes } from '#services/admin/read-table-file.ts';
import { ColumnChoices } from './ColumnChoices.tsx';
import { ImportChoices } from './ImportChoices.tsx';
import { ImportPlanReport } from './ImportPlanReport.tsx';
import { FailedImages, ImportResult } from './ImportResult.tsx';
import { PriceChoices } from './PriceChoices.tsx';
import { knownListOf } from './domain/known-lists.ts';
import type { ImportPlan } from './domain/import-plan.ts';
import { productCount } from '#domain/admin/products/product-form.ts';
import { useImport } from './use-import.ts';

interface FileDialogProps {
  /** How many products there are. */
  total: number;
  onClose: () => void;
}

/** The catalogue as a CSV file: out to a spreadsheet, and in from one after a look at what that would do. */
export function FileDialog({ total, onClose }: FileDialogProps) {
  const id = useId();
  const work = useImport();
  const { plan, busy, problems, failedImages } = work;
  const { table, source } = work;
  const listKind = table && source === null ? knownListOf(table) : null;
  const open = work.rows.open + (plan?.waiting ?? 0);
  const images = work.images.count();
  const parts = Math.max(1, Math.ceil(total / exportedRows));
  const wanted = plan ? plan.added.length + plan.changed.length : 0;
  const save = async () => {
    if (await work.save()) onClose();
  };
  return (
    <ModalDialog
      open
      title="Products in a spreadsheet"
      closable={busy === null}
      onClose={onClose}
      className="dialog-full sm:w-[min(46rem,calc(100vw-2rem))]"
    >
      <div className="mt-4 grid grid-cols-1 gap-6">
        <section className="grid grid-cols-1 gap-3" aria-labelledby={`${id}-in`}>
          <h3 className="text-lg" id={`${id}-in`}>
            Import
          </h3>
          <div className="flex flex-wrap gap-2">
            <FileButton
              label={work.fileName === null ? 'Choose file' : 'Choose another file'}
              accept={tableTypes}
              disabled={busy !== null}
              onFiles={([file]) => file && void work.chooseFile(file)}
            />
            <FileButton
              label="Choose picture files"
              accept="image/*"
              multiple
              disabled={busy !== null}
              onFiles={work.chooseImages}
            />
          </div>
          <p className="text-sm/relaxed text-ink-500" role="status">
            {busy ??
              [
                work.fileName === null
                  ? null
                  : source !== null
                    ? `${work.fileName}, from ${source}`
                    : listKind === null
                      ? work.fileName
                      : `${work.fileName}, a list of ${listKind.name}`,
                (table?.headingRow ?? 1) > 1
                  ? `the names of the columns in row ${String(table?.headingRow)}`
                  : null,
                images === 0
                  ? null
                  : images === 1
                    ? '1 picture file'
                    : `${String(images)} picture files`,
              ]
                .filter(Boolean)
                .join(', ')}
          </p>
          {problems.length > 0 || table ? (
            <ImportResult
              answer={problems.length > 0 ? problems : (table ?? problems)}
              step={work.priceCheck === null}
            >
              {problems.length === 0 ? null : (
                <div className="notice notice-danger" role="alert">
                  {problems.map((problem, line) => (
                    <p key={`${String(line)} ${problem}`} className="wrap-anywhere">
                      {problem}
                    </p>
                  ))}
                </div>
              )}
              {failedImages.length === 0 ? null : <FailedImages work={work} />}
              {listKind === null ? null : <p className="notice">{listKind.hint}</p>}
              <ColumnChoices {...work} />
              <PriceChoices {...work} />
              {plan ? (
                <>
                  <ImportChoices {...work} />
                  <ImportPlanReport
                    plan={plan}
                    source={source}
                    open={open}
                    rows={work.rows}
                    unread={work.unread}
                    unusedImages={work.unusedImages}
                    addressOf={work.images.addressOf}
                    onLeaveOut={work.leaveOutFaults}
                  />
                </>
              ) : null}
            </ImportResult>
          ) : null}
          <details className="text-sm/relaxed" open={table === null && problems.length === 0}>
            <summary className="min-h-11 py-2.5 font-medium">How the file is written</summary>
            <ul className="grid list-disc gap-1 pl-5 text-ink-700">
              <li>Nothing is saved before you have seen the changes.</li>
              <li>
                From another shop: its export as it is, of Shopify, WooCommerce, Etsy, Magento, Wix,
                Meta or Google. Its pictures are brought over, and the old addresses that the file
                names lead to the new pages.
              </li>
              <li>
                Your own list: an Excel workbook (.xlsx) or a CSV file with the names of the columns
                in its first row, up to 5,000 products and 15 MB. Columns that are missing stay as
                they are.
              </li>
              <li>A row with an ID changes that product; a row without one adds a new product.</li>
              <li>
                Pictures: write the names of picture files, such as <i>ring-1.jpg</i>, and choose
                those files here too; or a web address that begins with https://. Of pictures that
                are not square, the shop’s lists show the middle.
              </li>
              <li>
                You can stop, or close the page: choose the same file again later, and it goes on
                where it was.
              </li>
            </ul>
          </details>
        </section>
        <section className="grid gap-3 border-t border-line pt-5" aria-labelledby={`${id}-out`}>
          <h3 className="text-lg" id={`${id}-out`}>
            Export
          </h3>
          <p className="text-sm/relaxed text-ink-700">
            Every product but the deleted ones, for a spreadsheet. Change it there and import it
            again: each row knows its product by the ID.
          </p>
          <p className="flex flex-wrap gap-2">
            {Array.from({ length: parts }, (_, index) => (
              <a
                key={index}
                className="btn btn-secondary btn-small"
                href={catalogueExport(index + 1)}
                download
              >
                {parts === 1
                  ? 'Export the catalogue'
                  : `Export part ${String(index + 1)} of ${String(parts)}`}
              </a>
            ))}
            <a
              className="btn btn-quiet btn-small"
              href={`data:text/csv;charset=utf-8,${encodeURIComponent(catalogueTemplate())}`}
              download="catalogue-template.csv"
            >
              Empty template
            </a>
          </p>
        </section>
        {plan?.faults.length === 0 ? (
          <DialogFoot>
            {open > 0 ? (
              <p>
                {productCount(open)} {open === 1 ? 'waits' : 'wait'} for your answer above.
              </p>
            ) : wanted === 0 && plan.importedBefore.length === 0 ? (
              <p>There is nothing to save: the shop already has all of this.</p>
            ) : (
              <button
                type="button"
                className="btn btn-primary"
                aria-busy={busy !== null}
                onClick={() => void save()}
              >
                {busy ?? saveLabel(plan)}
              </button>
            )}
            {work.stop === null ? null : (
              <button type="button" className="btn btn-secondary" onClick={work.stop}>
                Stop
              </button>
            )}
          </DialogFoot>
        ) : null}
      </div>
    </ModalDialog>
  );
}

function saveLabel({ added, changed }: ImportPlan): string {
  const parts = [
    added.length === 0 ? '' : `add ${String(added.length)}`,
    changed.length === 0 ? '' : `change ${String(changed.length)}`,
  ]
    .filter(Boolean)
    .join(' and ');
  return parts === '' ? 'Keep the old addresses' : parts.charAt(0).toUpperCase() + parts.slice(1);
}
