import { attributeOf } from '../../domain/catalogue/attributes.ts';
import { categoryLabel } from '../../domain/catalogue/category.ts';
import { categoryOptions } from '../../islands/admin/products/category-options.ts';
import { productCount } from '../../domain/admin/products/product-form.ts';
import { SelectField } from '../../islands/admin/shared/fields/SelectField.tsx';
import { Field } from '../../islands/shared/Field.tsx';
import { listFields } from './domain/sources/price-list.ts';
import type { Choices } from './domain/read-products.ts';
import type { Import } from './use-import.ts';

type Choosing = Pick<
  Import,
  | 'source'
  | 'table'
  | 'mapping'
  | 'setMapping'
  | 'categories'
  | 'choices'
  | 'setChoices'
  | 'uncounted'
  | 'plan'
>;

const unread = ['', 'Do not read it'] as const;
const leave = ['leave', 'Leave these out'] as const;

/** What only the admin knows of a file from elsewhere: what its columns are, where its categories belong, how many units there are, which size they are. */
export function ImportChoices(work: Choosing) {
  const { categories: unknown, choices, setChoices, uncounted, plan } = work;
  const chosen = (name: string): string => {
    const category = choices.categories[name];
    return category === null ? leave[0] : (category ?? '');
  };
  return (
    <>
      <ColumnChoices {...work} />
      {unknown.length === 0 ? null : (
        <fieldset className="grid gap-2">
          <legend className="font-medium">Where do these belong?</legend>
          {unknown.map(({ name, count }) => (
            <SelectField
              key={name}
              label={`${name === '' ? 'No category' : name}: ${productCount(count)}`}
              value={chosen(name)}
              options={[['', 'Choose…'], ...categoryOptions, leave]}
              onValue={(value) => {
                const others = Object.entries(choices.categories).filter(([one]) => one !== name);
                const kept: Choices['categories'] = Object.fromEntries(others);
                const category = value === leave[0] ? null : value;
                setChoices({
                  ...choices,
                  categories: value === '' ? kept : { ...kept, [name]: category },
                });
              }}
            />
          ))}
        </fieldset>
      )}
      {uncounted === 0 ? null : (
        <Field
          label={`Units of each product or size that the file does not count (${productCount(uncounted)})`}
          name="uncounted-units"
          inputMode="numeric"
          value={choices.uncountedUnits}
          onValue={(uncountedUnits) => {
            setChoices({ ...choices, uncountedUnits });
          }}
        />
      )}
      {[...(plan?.unsized ?? [])].map(([category, count]) => (
        <Field
          key={category}
          label={`${categoryLabel(category)} that say no size: ${productCount(count)}. Which size are they?`}
          name={`size-${category}`}
          autoComplete="off"
          hint={attributeOf('size').hint ?? ''}
          value={choices.sizes[category] ?? ''}
          onValue={(size) => {
            setChoices({ ...choices, sizes: { ...choices.sizes, [category]: size } });
          }}
        />
      ))}
    </>
  );
}

/** A list's columns beside the shop's: each with two of its texts, and what it probably is. */
function ColumnChoices({ source, table, mapping, setMapping }: Choosing) {
  const headings = Object.keys(mapping);
  if (table === null || source !== null) return null;
  const isOwn = headings.every((heading) => mapping[heading] === heading);
  if (isOwn) return null;
  const samples = (heading: string): string => {
    const texts = table.rows.map((row) => row.cell(heading).trim()).filter((text) => text !== '');
    return [...new Set(texts)]
      .slice(0, 2)
      .map((text) => (text.length > 30 ? `${text.slice(0, 29)}…` : text))
      .join(', ');
  };
  return (
    <details className="border-y border-line" open={!Object.values(mapping).includes('Name')}>
      <summary className="min-h-11 py-2.5 font-medium">
        What the columns are ({headings.filter((heading) => mapping[heading] !== '').length} of{' '}
        {headings.length} are read)
      </summary>
      <ul className="grid gap-3 pb-3 sm:grid-cols-2">
        {headings.map((heading) => (
          <li key={heading}>
            <SelectField
              label={heading}
              value={mapping[heading] ?? ''}
              options={[unread, ...listFields.map((field) => [field, field] as const)]}
              onValue={(field) => {
                const others = Object.entries(mapping).map(([known, label]): [string, string] => [
                  known,
                  label === field ? '' : label,
                ]);
                setMapping({ ...Object.fromEntries(others), [heading]: field });
              }}
            />
            <p className="text-sm text-ink-500 wrap-anywhere">{samples(heading) || 'Empty'}</p>
          </li>
        ))}
      </ul>
    </details>
  );
}
