import { carriers } from '#domain/orders/carriers.ts';
import { Field } from '#islands/shared/Field.tsx';

interface CarrierFieldProps {
  name: string;
  value: string;
  error: string | undefined;
  onValue: (value: string) => void;
}

/** The carrier's name, typed or pressed. */
export function CarrierField(props: CarrierFieldProps) {
  return (
    <div className="grid gap-2">
      <Field {...props} label="Carrier" autoComplete="off" required />
      <div className="flex flex-wrap gap-2" role="group" aria-label="Usual carriers">
        {carriers.map((carrier) => (
          <button
            key={carrier}
            type="button"
            className="filter-chip"
            aria-pressed={carrier === props.value.trim()}
            onClick={() => {
              props.onValue(carrier);
            }}
          >
            {carrier}
          </button>
        ))}
      </div>
    </div>
  );
}
