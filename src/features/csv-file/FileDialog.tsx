import { useEffect, useId, useRef, type ReactNode } from 'react';
import { catalogueTemplate, exportedRows } from './domain/catalogue-csv.ts';
import { catalogueExport } from './catalogue-file.ts';
import { DialogFoot } from '../../islands/shared/DialogFoot.tsx';
import { ModalDialog } from '../../islands/shared/ModalDialog.tsx';
import { csvTypes, FileButton } from '../../islands/admin/shared/fields/FileButton.tsx';
import { ImportPlanReport } from './ImportPlanReport.tsx';
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
  const { plan, busy, problems } = work;
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
              label={work.fileName === null ? 'Choose CSV file' : 'Choose another CSV file'}
              accept={csvTypes}
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
                work.fileName,
                work.images.count === 0
                  ? null
                  : work.images.count === 1
                    ? '1 picture file'
                    : `${String(work.images.count)} picture files`,
              ]
                .filter(Boolean)
                .join(', ')}
          </p>
          {problems.length > 0 || plan ? (
            <ImportResult answer={plan ?? problems}>
              {problems.length === 0 ? null : (
                <div className="notice notice-danger" role="alert">
                  {problems.map((problem, line) => (
                    <p key={`${String(line)} ${problem}`} className="wrap-anywhere">
                      {problem}
                    </p>
                  ))}
                </div>
              )}
              {plan ? (
                <ImportPlanReport
                  plan={plan}
                  unknown={work.unknown}
                  unusedImages={work.images.unused}
                />
              ) : null}
            </ImportResult>
          ) : null}
          <details className="text-sm/relaxed" open={plan === null && problems.length === 0}>
            <summary className="min-h-11 py-2.5 font-medium">How the file is written</summary>
            <ul className="grid list-disc gap-1 pl-5 text-ink-700">
              <li>Nothing is saved before you have seen the changes.</li>
              <li>
                Save your spreadsheet as a CSV file with the columns of the template, up to 2,000
                rows and 2 MB. Columns that are missing stay as they are.
              </li>
              <li>A row with an ID changes that product; a row without one adds a new product.</li>
              <li>
                Pictures: write the names of picture files, such as <i>ring-1.jpg</i>, and choose
                those files here too; or a web address that begins with https://. Of pictures that
                are not square, the shop’s lists show the middle.
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
            {wanted === 0 ? (
              <p>There is nothing to save: the shop already has all of this.</p>
            ) : (
              <button
                type="button"
                className="btn btn-primary"
                aria-busy={busy !== null}
                onClick={() => void save()}
              >
                {busy ?? saveLabel(plan.added.length, plan.changed.length)}
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

/** The faults of the chosen file, or its effect: scrolled to and focused as it comes, since a phone shows no more. */
function ImportResult({ answer, children }: { answer: object; children: ReactNode }) {
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    result.current?.focus({ preventScroll: true });
    result.current?.scrollIntoView({ block: 'start' });
  }, [answer]);
  return (
    <div
      ref={result}
      tabIndex={-1}
      role="group"
      aria-label="Changes in the file"
      className="grid grid-cols-1 gap-3 focus:outline-none"
    >
      {children}
    </div>
  );
}

function saveLabel(added: number, changed: number): string {
  const parts = [
    added === 0 ? '' : `add ${String(added)}`,
    changed === 0 ? '' : `change ${String(changed)}`,
  ]
    .filter(Boolean)
    .join(' and ');
  return parts.charAt(0).toUpperCase() + parts.slice(1);
}
