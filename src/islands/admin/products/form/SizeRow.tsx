import { stockFromText } from '#domain/admin/products/product-form.ts';
import { AdminIcon } from '#islands/admin/shared/AdminIcon.tsx';

interface SizeRowProps {
  size: string;
  stock: string;
  onStock: (stock: string) => void;
  onRemove: () => void;
}

/** The stock of one size, typed or stepped. */
export function SizeRow({ size, stock, onStock, onRemove }: SizeRowProps) {
  const count = stockFromText(stock);
  const wrong = !Number.isInteger(count) || count < 0;
  const step = (by: number) => {
    if (!wrong && count + by >= 0) onStock(String(count + by));
  };
  const stepper = 'btn btn-secondary size-12 min-h-12 flex-none px-0 text-xl';
  return (
    <li className="flex items-center gap-2">
      <b className="min-w-0 flex-1 wrap-anywhere">{size}</b>
      <button
        type="button"
        className={stepper}
        aria-label={`Decrease quantity of size ${size}`}
        onClick={() => step(-1)}
      >
        −
      </button>
      <input
        className="field-input w-16 flex-none px-1 text-center"
        inputMode="numeric"
        autoComplete="off"
        aria-label={`Stock of size ${size}`}
        aria-invalid={wrong ? true : undefined}
        placeholder="0"
        value={stock}
        onChange={(event) => onStock(event.currentTarget.value)}
      />
      <button
        type="button"
        className={stepper}
        aria-label={`Increase quantity of size ${size}`}
        onClick={() => step(1)}
      >
        +
      </button>
      <button
        type="button"
        className="icon-btn text-danger-700"
        aria-label={`Remove size ${size}`}
        onClick={onRemove}
      >
        <AdminIcon name="bin" />
      </button>
    </li>
  );
}
