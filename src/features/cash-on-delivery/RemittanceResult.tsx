import { formatRupees } from '#domain/money.ts';
import type { RemittanceFile } from './domain/remittance-file.ts';
import type { RemittanceReport } from './domain/remittance-report.ts';

interface RemittanceResultProps {
  report: RemittanceReport;
  file: RemittanceFile;
  /** It is recorded; else it is a preview. */
  saved: boolean;
}

/** Lines of one reason; a phone draws thousands slowly. */
const shown = 200;

const rows = (count: number, one: string, more: string): string =>
  count === 0 ? '' : count === 1 ? `1 row ${one}` : `${String(count)} rows ${more}`;

/** What a courier's list pays, what of it cannot be recorded, and what is still to come. */
export function RemittanceResult({ report, file, saved }: RemittanceResultProps) {
  const { listed, groups, missing } = report;
  const leftOut = [
    rows(file.withoutCash, 'without cash is left out.', 'without cash are left out.'),
    rows(
      file.withoutParcel,
      'names no parcel and is left out.',
      'name no parcel and are left out.',
    ),
  ].filter(Boolean);
  return (
    <>
      <div>
        <p className="font-medium">{summary(report, saved)}</p>
        <p className="text-sm/relaxed text-ink-700">
          The list has {formatRupees(listed.sum)} in all: compare it with your bank account.
        </p>
        {leftOut.length === 0 ? null : (
          <p className="text-sm/relaxed text-ink-500">{leftOut.join(' ')}</p>
        )}
      </div>
      {groups.map(({ title, hint, lines }) => (
        <Lines key={title} title={`${title} (${String(lines.length)})`} hint={hint} lines={lines} />
      ))}
      {missing.length === 0 ? null : (
        <Lines
          title={`Still to come (${String(missing.length)})`}
          hint="Sent by the same courier, no later than the last parcel of this list. Ask the courier when they have waited for long."
          lines={missing}
        />
      )}
    </>
  );
}

function summary({ listed, received }: RemittanceReport, saved: boolean): string {
  const { count, sum } = received;
  const others = listed.count - count;
  if (count === 0) return 'This list pays no order that is still to be paid.';
  const one = count === 1;
  const orders = `${one ? '1 order' : `${String(count)} orders`} ${saved ? (one ? 'is' : 'are') : 'would be'} recorded as paid: ${formatRupees(sum)}.`;
  return others === 0
    ? orders
    : `${orders} ${rows(others, 'is not, and is listed below.', 'are not, and are listed below.')}`;
}

function Lines({ title, hint, lines }: { title: string; hint: string; lines: readonly string[] }) {
  return (
    <section aria-label={title}>
      <h3 className="text-base font-medium">{title}</h3>
      {hint === '' ? null : <p className="text-sm/relaxed text-ink-700">{hint}</p>}
      <ul
        className="mt-1 max-h-52 overflow-y-auto border-y border-line text-sm/relaxed"
        tabIndex={0}
        aria-label={title}
      >
        {lines.slice(0, shown).map((line) => (
          <li key={line} className="border-b border-line py-1.5 wrap-anywhere last:border-0">
            {line}
          </li>
        ))}
      </ul>
      {lines.length > shown ? (
        <p className="text-sm text-ink-700">And {lines.length - shown} more.</p>
      ) : null}
    </section>
  );
}
