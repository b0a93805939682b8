import { bareHeading, type TableFile } from '#domain/admin/table-file.ts';
import { SelectField } from './SelectField.tsx';

interface ColumnFieldsProps<Field extends string> {
  table: TableFile;
  /** Each field with its label. */
  fields: readonly (readonly [field: Field, label: string])[];
  /** The heading of each field's column; '' for none. */
  headings: Readonly<Record<Field, string>>;
  onHeading: (field: Field, heading: string) => void;
}

/** Asks which columns of a file are which. */
export function ColumnFields<Field extends string>({
  table,
  fields,
  headings,
  onHeading,
}: ColumnFieldsProps<Field>) {
  const named = table.headings.filter((name) => name !== '');
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="mb-1 font-medium">Which columns are these?</legend>
      {fields.map(([field, label]) => (
        <SelectField
          key={field}
          label={label}
          value={named.find((name) => bareHeading(name) === bareHeading(headings[field])) ?? ''}
          options={[['', 'Choose…'], ...named.map((name) => [name, name] as const)]}
          onValue={(heading) => {
            onHeading(field, heading);
          }}
        />
      ))}
    </fieldset>
  );
}
