import { SelectField } from '#islands/admin/shared/fields/SelectField.tsx';
import type { TableFile } from '#domain/admin/table-file.ts';
import { headingOf, listFields, type Mapping } from './domain/sources/guess-columns.ts';
import type { Import } from './import-state.ts';

type Choosing = Pick<Import, 'source' | 'table' | 'mapping' | 'setMapping' | 'forget'>;

const unread = ['', 'Do not read it'] as const;

/** Two texts of a column, cut to 30 letters; '' for an empty one. */
export function samplesOf({ rows }: TableFile, heading: string): string {
  const texts = rows.map((row) => row.cell(heading).trim()).filter((text) => text !== '');
  return [...new Set(texts)]
    .slice(0, 2)
    .map((text) => (text.length > 30 ? `${text.slice(0, 29)}…` : text))
    .join(', ');
}

/** A mapping with a field given to one heading, or to none. What had the field before is not read. */
export function withField(mapping: Mapping, field: string, heading: string | undefined): Mapping {
  const others = Object.entries(mapping).map(([known, label]): [string, string] => [
    known,
    label === field ? '' : label,
  ]);
  return Object.fromEntries(heading === undefined ? others : [...others, [heading, field]]);
}

/** A list's columns beside the shop's: each with two of its texts, and what it probably is. Open while the name is missing. */
export function ColumnChoices({ source, table, mapping, setMapping, forget }: Choosing) {
  const known = Object.entries(mapping);
  if (table === null || source !== null) return null;
  if (known.every(([heading, label]) => label === heading)) return null;
  const isNameless =
    headingOf(mapping, 'Name') === undefined && headingOf(mapping, 'ID') === undefined;
  return (
    <>
      {isNameless ? (
        <p className="notice" role="alert">
          Choose the column with the names of the products. Nothing of this file can be read before.
        </p>
      ) : null}
      <details className="border-y border-line" open={isNameless}>
        <summary className="min-h-11 py-2.5 font-medium">
          What the columns are ({known.filter(([, label]) => label !== '').length} of {known.length}{' '}
          are read)
        </summary>
        <ul className="grid gap-3 pb-3 sm:grid-cols-2">
          {known.map(([heading, label]) => (
            <li key={heading}>
              <SelectField
                label={heading}
                value={label}
                options={[unread, ...listFields.map((field) => [field, field] as const)]}
                onValue={(field) => {
                  const free = withField(mapping, label, undefined);
                  setMapping(field === '' ? free : withField(free, field, heading));
                }}
              />
              <p className="text-sm text-ink-500 wrap-anywhere">
                {samplesOf(table, heading) || 'Empty'}
              </p>
            </li>
          ))}
        </ul>
        <button type="button" className="btn btn-quiet btn-small mb-3" onClick={forget}>
          Forget these choices
        </button>
      </details>
    </>
  );
}
