import { Field } from '../../../shared/Field.tsx';
import type { BindField } from './product-model.ts';

interface MoreDetailsProps {
  bind: BindField;
  open: boolean;
  onOpen: (open: boolean) => void;
}

/** What shoppers find under the description, where given; folded until it is wanted. */
export function MoreDetails({ bind, open, onOpen }: MoreDetailsProps) {
  return (
    <details className="more-details" open={open} onToggle={(event) => onOpen(event.currentTarget.open)}>
      <summary>
        More details <span className="text-ink-500">metal, stone, weight, care…</span>
      </summary>
      <div className="product-fields">
        <Field {...bind('metal')} label="Metal" autoComplete="off" />
        <Field {...bind('plating')} label="Plating" autoComplete="off" />
        <Field {...bind('stone')} label="Stone" autoComplete="off" />
        <Field {...bind('weight')} label="Weight (g)" inputMode="decimal" autoComplete="off" />
        <Field {...bind('size')} label="Size" autoComplete="off" />
        <Field {...bind('origin')} label="Origin" autoComplete="off" />
        <Field {...bind('care')} label="Care" autoComplete="off" className="wide" />
        <Field {...bind('hsn')} label="HSN code" inputMode="numeric" autoComplete="off" hint="For invoices" />
      </div>
    </details>
  );
}
