import { askedAttributes, attributeOf } from '#domain/catalogue/attributes.ts';
import { Field } from '#islands/shared/Field.tsx';
import { SelectField } from '#islands/admin/shared/fields/SelectField.tsx';
import { FoldedPanel } from '#islands/admin/shared/FoldedPanel.tsx';
import type { BindField } from './product-model.ts';

/** All attributes but the size, which stands beside the sizes. */
export const folded = askedAttributes.filter((key) => key !== 'size');

interface MoreDetailsProps {
  bind: BindField;
  open: boolean;
  onOpen: (open: boolean) => void;
}

/** The facts under the description, where given; folded until they are wanted. */
export function MoreDetails({ bind, open, onOpen }: MoreDetailsProps) {
  return (
    <FoldedPanel
      title="More details"
      summary="metal, stone, weight, care…"
      className="border-t"
      open={open}
      onToggle={onOpen}
    >
      <div className="grid grid-cols-2 gap-4 md:grid-cols-3 [&_.field-hint]:text-xs/relaxed">
        {folded.map((key) => {
          const { label, unit, hint, choices } = attributeOf(key);
          const field = { ...bind(key), label, ...(hint !== undefined && { hint }) };
          return choices === undefined ? (
            <Field
              key={key}
              {...field}
              autoComplete="off"
              {...(unit !== undefined && { inputMode: 'decimal' })}
            />
          ) : (
            <SelectField
              key={key}
              {...field}
              value={field.value === '' ? choices[0] : field.value}
              options={choices.map((choice) => [choice, choice])}
            />
          );
        })}
      </div>
    </FoldedPanel>
  );
}
