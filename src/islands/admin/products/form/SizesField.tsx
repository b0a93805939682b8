import { useId, useRef, useState } from 'react';
import type { ProductForm } from '#domain/admin/products/product-form.ts';
import { attributeOf } from '#domain/catalogue/attributes.ts';
import { Field } from '#islands/shared/Field.tsx';
import { CheckField } from '#islands/admin/shared/fields/CheckField.tsx';
import type { BindField } from './product-model.ts';
import { SizeRow } from './SizeRow.tsx';
import { UnplacedStock } from './UnplacedStock.tsx';

type Sizes = ProductForm['sizes'];

/** The usual sizes, added with one press; sizes that are not made are removed again. */
const presets = [
  { label: 'Rings 10–22', sizes: ['10', '12', '14', '16', '18', '20', '22'] },
  { label: 'Bangles 2.2–2.8', sizes: ['2.2', '2.4', '2.6', '2.8'] },
] as const;

/** Numbers by their value, so that 11 comes between 10 and 12; names as they were added. */
const inOrder = (sizes: Sizes): Sizes =>
  sizes.every(({ size }) => Number.isFinite(Number(size)))
    ? [...sizes].sort((a, b) => Number(a.size) - Number(b.size))
    : sizes;

interface SizesFieldProps {
  sizes: Sizes;
  /** The field of the size in one sentence. */
  sentence: ReturnType<BindField>;
  /** Worn by size: customers have to read which. */
  isWanted: boolean;
  /** The stock that was typed before, and that no size has yet. */
  unplaced: number;
  error: string | undefined;
  onSizes: (sizes: Sizes) => void;
  /** The typed stock goes into no size. */
  onSoldOut: () => void;
}

/** Sizes with a stock of their own; off for a product that has none. */
export function SizesField({
  sizes,
  sentence,
  isWanted,
  unplaced,
  error,
  onSizes,
  onSoldOut,
}: SizesFieldProps) {
  const [on, setOn] = useState(sizes.length > 0);
  const [typed, setTyped] = useState('');
  // Turned off by mistake and on again, nothing is lost.
  const before = useRef<Sizes>([]);
  const id = useId();
  const add = (names: readonly string[]) => {
    const known = new Set(sizes.map(({ size }) => size.trim().toLowerCase()));
    const wanted = names
      .map((name) => name.trim())
      .filter((name) => name !== '' && !known.has(name.toLowerCase()));
    if (wanted.length > 0)
      onSizes(inOrder([...sizes, ...[...new Set(wanted)].map((size) => ({ size, stock: '' }))]));
  };
  const addTyped = () => {
    add(typed.split(','));
    setTyped('');
  };
  const shown = on || sizes.length > 0;
  return (
    <section aria-label="Sizes">
      <CheckField
        label="This product comes in sizes"
        checked={shown}
        onChecked={(checked) => {
          setOn(checked);
          if (!checked) before.current = sizes;
          onSizes(checked ? before.current : []);
        }}
      />
      {shown ? (
        <div className="mt-2 grid gap-3">
          <div className="flex flex-wrap gap-2">
            {presets.map((preset) => (
              <button
                key={preset.label}
                type="button"
                className="btn btn-secondary min-h-11 px-3"
                onClick={() => add(preset.sizes)}
              >
                {preset.label}
              </button>
            ))}
          </div>
          <div className="flex items-end gap-2">
            <div className="field min-w-0 flex-1">
              <label className="field-label" htmlFor={id}>
                Other sizes
              </label>
              <input
                id={id}
                name="sizes"
                className="field-input"
                autoComplete="off"
                placeholder="Such as S, M, L"
                value={typed}
                aria-invalid={error ? true : undefined}
                aria-describedby={error ? `${id}-error` : undefined}
                onChange={(event) => setTyped(event.currentTarget.value)}
                // Typed and not added is meant all the same.
                onBlur={addTyped}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter') return;
                  // Adds, and does not save the form.
                  event.preventDefault();
                  addTyped();
                }}
              />
            </div>
            <button type="button" className="btn btn-secondary px-4" onClick={addTyped}>
              Add
            </button>
          </div>
          {error ? (
            <p className="field-error" id={`${id}-error`}>
              {error}
            </p>
          ) : null}
          {unplaced > 0 ? (
            <UnplacedStock
              unplaced={unplaced}
              sizes={sizes}
              onSize={(chosen) =>
                onSizes(
                  sizes.map((one, at) =>
                    at === chosen ? { ...one, stock: String(unplaced) } : one,
                  ),
                )
              }
              onSoldOut={onSoldOut}
            />
          ) : null}
          {sizes.length === 0 ? (
            <p className="field-hint">
              Choose the sizes; each then has its own stock. Without any, the product has one stock
              as before.
            </p>
          ) : (
            <ul className="grid gap-2 md:grid-cols-2 md:gap-x-8" aria-label="Stock of each size">
              {sizes.map((one, index) => (
                <SizeRow
                  key={one.size}
                  {...one}
                  onStock={(stock) =>
                    onSizes(sizes.map((other, at) => (at === index ? { ...other, stock } : other)))
                  }
                  onRemove={() => onSizes(sizes.filter((_, at) => at !== index))}
                />
              ))}
            </ul>
          )}
        </div>
      ) : null}
      <Field
        {...sentence}
        label={isWanted && !shown ? 'Which size is it?' : 'Size in one sentence'}
        autoComplete="off"
        className="mt-3"
        required={isWanted && !shown}
        hint={
          shown
            ? 'Beside the sizes, such as “The first size is the slim band’s, the second the wide one’s”'
            : (attributeOf('size').hint ?? '')
        }
      />
    </section>
  );
}
