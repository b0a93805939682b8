import { useEffect, useId, useRef, useState } from 'react';
import type {
  ConflictChoices,
  FieldConflict,
} from '../../../../domain/admin/products/product-conflict.ts';

interface ConflictPanelProps {
  conflicts: readonly FieldConflict[];
  busy: boolean;
  onResolve: (choices: ConflictChoices) => void;
}

/** A sale counts whatever was typed, so stock follows the shop unless the admin decides otherwise. */
function startChoice(conflicts: readonly FieldConflict[]): ConflictChoices {
  return Object.fromEntries(
    conflicts.map(({ kind, field, key }) => [
      key,
      kind === 'both' && field !== 'stock' && field !== 'sizes' ? 'mine' : 'theirs',
    ]),
  );
}

/** The changes in the shop while the form was open, field by field, and which value shall stay. */
export function ConflictPanel({ conflicts, busy, onResolve }: ConflictPanelProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const [choices, setChoices] = useState(() => startChoice(conflicts));
  useEffect(() => {
    heading.current?.focus();
  }, []);
  const taken = conflicts.filter(({ kind }) => kind === 'theirs');
  return (
    <section className="notice notice-warn grid justify-items-start gap-4" aria-labelledby={id}>
      <h3 id={id} ref={heading} tabIndex={-1} className="text-xl">
        This product changed while you were editing
      </h3>
      {conflicts
        .filter(({ kind }) => kind === 'both')
        .map(({ key, message, mine, theirs, sum }) => {
          const choice = (which: 'mine' | 'theirs' | 'sum', label: string, value: string) => (
            <ValueChoice
              {...{ name: `${id}-${key}`, label, value, checked: choices[key] === which }}
              onChoose={() => setChoices({ ...choices, [key]: which })}
            />
          );
          return (
            <fieldset key={key} className="grid w-full gap-1">
              <legend className="pb-1 font-medium">{message}</legend>
              {choice('mine', 'Keep mine', mine)}
              {choice('theirs', 'Take theirs', theirs)}
              {sum === null ? null : choice('sum', `Count both (${sum.how})`, sum.value)}
            </fieldset>
          );
        })}
      {taken.length === 0 ? null : (
        <ul>
          {taken.map(({ key, message }) => (
            <li key={key}>{message}. You had not changed it, so the new one is taken.</li>
          ))}
        </ul>
      )}
      <button
        type="button"
        className="btn btn-primary"
        aria-busy={busy}
        onClick={() => busy || onResolve(choices)}
      >
        Save with these
      </button>
    </section>
  );
}

interface ValueChoiceProps {
  name: string;
  label: string;
  value: string;
  checked: boolean;
  onChoose: () => void;
}

function ValueChoice({ name, label, value, checked, onChoose }: ValueChoiceProps) {
  const look = checked ? 'border-brand-700 ring-1 ring-brand-700 ring-inset' : 'border-line';
  return (
    <label
      className={`flex min-h-11 cursor-pointer items-baseline gap-2.5 border bg-white px-3 py-2 ${look}`}
    >
      <input
        type="radio"
        className="accent-brand-700"
        name={name}
        checked={checked}
        onChange={onChoose}
      />
      <span>
        {label}: <b className="wrap-anywhere">{value}</b>
      </span>
    </label>
  );
}
