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
    <details className="group border-y border-line open:pb-4" open={open} onToggle={(event) => onOpen(event.currentTarget.open)}>
      <summary className="flex min-h-12 flex-wrap items-center gap-x-3 text-sm/relaxed font-medium">
        More details <span className="font-normal text-ink-500">metal, stone, weight, care…</span>
        <span className="ml-auto text-lg/relaxed text-gold-700" aria-hidden="true">
          <span className="group-open:hidden">+</span>
          <span className="hidden group-open:inline">–</span>
        </span>
      </summary>
      <div className="grid grid-cols-2 gap-4 md:grid-cols-3 [&_.field-hint]:text-xs/relaxed">
        <Field {...bind('metal')} label="Metal" autoComplete="off" />
        <Field {...bind('plating')} label="Plating" autoComplete="off" />
        <Field {...bind('stone')} label="Stone" autoComplete="off" />
        <Field {...bind('weight')} label="Weight (g)" inputMode="decimal" autoComplete="off" />
        <Field {...bind('size')} label="Size" autoComplete="off" />
        <Field {...bind('origin')} label="Origin" autoComplete="off" />
        <Field {...bind('care')} label="Care" autoComplete="off" className="col-span-full" />
        <Field {...bind('hsn')} label="HSN code" inputMode="numeric" autoComplete="off" hint="For invoices" />
      </div>
    </details>
  );
}
