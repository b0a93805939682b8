import { shop } from '#settings/shop.ts';
import { productCount } from '#domain/admin/products/product-form.ts';
import type { ImportPlan } from './domain/import-plan.ts';
import type { PlannedProduct } from './domain/plan-row.ts';
import { formatRupees } from '#domain/money.ts';
import { categoryLabel } from '#domain/catalogue/category.ts';
import type { ImportRows } from './domain/file-rows.ts';
import type { UnreadColumn } from './domain/read-products.ts';
import { ImportPreview } from './ImportPreview.tsx';
import { FaultList } from '#islands/admin/shared/FaultList.tsx';

interface ImportPlanReportProps {
  plan: ImportPlan;
  /** The shop whose file it is; null for the shop's own, and a list. */
  source: string | null;
  /** Products that wait for an answer. */
  open: number;
  rows: Pick<ImportRows, 'leftOut' | 'furtherImages' | 'unplaced'>;
  /** The columns that are not read. */
  unread: readonly UnreadColumn[];
  /** Files that were chosen and stand in no row. */
  unusedImages: readonly string[];
  /** What a page can show for an image's entry. */
  addressOf: (entry: string) => string;
  onLeaveOut: () => void;
}

const shown = 50;
function outcomeOf(added: number, changed: number): string {
  if (added === 0)
    return changed === 0 ? 'Nothing would change.' : `${productCount(changed)} would be changed.`;
  return changed === 0
    ? `${productCount(added)} would be added.`
    : `${productCount(added)} would be added and ${productCount(changed)} changed.`;
}
const listed = (names: readonly string[]): string =>
  `${names.slice(0, 8).join(', ')}${names.length > 8 ? ` and ${String(names.length - 8)} more` : ''}`;

/** The effect of an import: every fault by row and column, or the products that would be added and changed. */
export function ImportPlanReport({
  plan,
  source,
  open,
  rows: { leftOut, furtherImages, unplaced },
  unread,
  unusedImages,
  addressOf,
  onLeaveOut,
}: ImportPlanReportProps) {
  const { added, changed, same, importedBefore, faults } = plan;
  const unaddressed = added.filter(({ oldAddresses }) => oldAddresses.length === 0).length;
  const namesakes = added.filter(({ namesake }) => namesake);
  return (
    <div className="grid gap-3" data-import-plan>
      {faults.length === 0 ? (
        <p role="status">
          {open > 0 && added.length + changed.length === 0 ? null : (
            <b>{outcomeOf(added.length, changed.length)}</b>
          )}{' '}
          {same === 0
            ? ''
            : `${productCount(same)} in the file ${same === 1 ? 'is' : 'are'} as in the shop already.`}
        </p>
      ) : (
        <FaultList faults={faults} onLeaveOut={onLeaveOut} />
      )}
      {importedBefore.length === 0 ? null : (
        <p className="notice">
          {productCount(importedBefore.length)} came with this file before and{' '}
          {importedBefore.length === 1 ? 'stays' : 'stay'} as in the shop now. To change products
          that are there, export the catalogue.
        </p>
      )}
      {leftOut.length === 0 ? null : (
        <PlannedRows title="Left out" rows={leftOut} say={({ why }) => why} />
      )}
      {furtherImages === 0 ? null : (
        <p className="notice">
          A product has up to {shop.limits.imagesPerProduct} pictures here:{' '}
          {furtherImages === 1
            ? '1 further picture is not brought over.'
            : `${String(furtherImages)} further pictures are not brought over.`}
        </p>
      )}
      {source === null || unaddressed === 0 ? null : (
        <p className="notice">
          The file says no old address of {productCount(unaddressed)}: links to{' '}
          {unaddressed === 1 ? 'it' : 'them'} in the old shop lead to no page here.
        </p>
      )}
      <NotBroughtOver unread={unread} unplaced={unplaced} />
      {namesakes.length === 0 ? null : (
        <p className="notice">
          {productCount(namesakes.length)} would be added beside another one of the same name:{' '}
          {listed(namesakes.map(({ product }) => product.name))}. To change the one that is there,
          export the catalogue and keep its ID.
        </p>
      )}
      {unusedImages.length === 0 ? null : (
        <p className="notice">
          Picture files that no row names, and that are not sent: {listed(unusedImages)}.
        </p>
      )}
      {faults.length > 0 ? null : (
        <>
          <ImportPreview planned={added} addressOf={addressOf} />
          <PlannedRows
            title="Added"
            rows={added.map(withName)}
            say={({ product }) =>
              [
                categoryLabel(product.category),
                formatRupees(product.offerPrice ?? product.price),
                `${String(product.stock)} ${product.stock === 1 ? 'unit' : 'units'}`,
                ...(product.hidden ? ['hidden'] : []),
              ].join(', ')
            }
          />
          <PlannedRows
            title="Changed"
            rows={changed.map(withName)}
            say={({ changes }) =>
              changes.map(({ label, before, after }) => `${label}: ${before} → ${after}`).join('; ')
            }
          />
        </>
      )}
    </div>
  );
}

const cellCount = (count: number): string => (count === 1 ? '1 cell' : `${String(count)} cells`);

/** The texts of the file that no product gets, by column, and why: nothing is lost unseen. */
function NotBroughtOver({
  unread,
  unplaced,
}: Pick<ImportPlanReportProps, 'unread'> & Pick<ImportRows, 'unplaced'>) {
  if (unread.length === 0 && unplaced.length === 0) return null;
  const names = [...new Set([...unplaced, ...unread].map(({ column }) => column))];
  return (
    <details className="border-y border-line text-sm/relaxed">
      <summary className="min-h-11 py-2.5 font-medium wrap-anywhere">
        Not brought over: {listed(names)}
      </summary>
      <ul className="grid gap-1 pb-3">
        {unplaced.map(({ column, why, count }) => (
          <li key={`${column} ${why}`} className="wrap-anywhere">
            <b>{column}</b>, {cellCount(count)}: {why}
          </li>
        ))}
        {unread.map(({ column, count, samples }) => (
          <li key={column} className="wrap-anywhere">
            <b>{column}</b>, {cellCount(count)} such as{' '}
            {samples.map((text) => (text.length > 40 ? `${text.slice(0, 39)}…` : text)).join(', ')}
          </li>
        ))}
      </ul>
    </details>
  );
}

const withName = (planned: PlannedProduct) => ({ ...planned, name: planned.product.name });

function PlannedRows<Row extends { row: number; name: string }>({
  title,
  rows,
  say,
}: {
  title: string;
  rows: readonly Row[];
  say: (row: Row) => string;
}) {
  if (rows.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="text-base font-medium">
        {title} ({rows.length})
      </h3>
      {/* Reached by the keyboard to be scrolled. */}
      <ol
        className="mt-1 max-h-60 overflow-y-auto border-y border-line text-sm/relaxed"
        tabIndex={0}
        aria-label={`${title}, row by row`}
      >
        {rows.slice(0, shown).map((row) => (
          <li
            key={`${String(row.row)} ${row.name}`}
            className="border-b border-line py-1.5 wrap-anywhere last:border-0"
          >
            <span className="text-ink-500">Row {row.row}</span> {row.name}
            <span className="block text-ink-500">{say(row)}</span>
          </li>
        ))}
        {rows.length > shown ? (
          <li className="py-1.5 text-ink-500">And {rows.length - shown} more.</li>
        ) : null}
      </ol>
    </section>
  );
}
