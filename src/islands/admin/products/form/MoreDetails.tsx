import { Field } from '../../../shared/Field.tsx';
import { FoldedPanel } from '../../shared/FoldedPanel.tsx';
import type { BindField } from './product-model.ts';

interface MoreDetailsProps {
  bind: BindField;
  open: boolean;
  onOpen: (open: boolean) => void;
}

/** What shoppers find under the description, where given; folded until it is wanted. */
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
        <Field {...bind('metal')} label="Metal" autoComplete="off" />
        <Field {...bind('plating')} label="Plating" autoComplete="off" />
        <Field {...bind('stone')} label="Stone" autoComplete="off" />
        <Field {...bind('weight')} label="Weight (g)" inputMode="decimal" autoComplete="off" />
        <Field {...bind('size')} label="Size" autoComplete="off" />
        <Field {...bind('origin')} label="Origin" autoComplete="off" />
        <Field {...bind('care')} label="Care" autoComplete="off" className="col-span-full" />
        <Field
          {...bind('hsn')}
          label="HSN code"
          inputMode="numeric"
          autoComplete="off"
          hint="For invoices"
        />
      </div>
    </FoldedPanel>
  );
}
