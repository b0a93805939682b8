import { useEffect, useId, useRef, useState } from 'react';
import type { FieldConflict } from '../../../../domain/admin/product-conflict.ts';
import type { ProductField } from '../../../../domain/admin/product-form.ts';

interface ConflictPanelProps {
  conflicts: readonly FieldConflict[];
  busy: boolean;
  /** The fields in which the admin's own value stays. */
  onResolve: (keepMine: ReadonlySet<ProductField>) => void;
}

/** What was sold is gone whatever was typed, so stock follows the shop unless told otherwise. */
function startChoice(conflicts: readonly FieldConflict[]): ReadonlySet<ProductField> {
  return new Set(conflicts.filter(({ kind, field }) => kind === 'both' && field !== 'stock').map(({ field }) => field));
}

/** What changed in the shop while the form was open, field by field, and which value shall stay. */
export function ConflictPanel({ conflicts, busy, onResolve }: ConflictPanelProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const [keepMine, setKeepMine] = useState(() => startChoice(conflicts));
  useEffect(() => {
    heading.current?.focus();
  }, []);
  const choose = (field: ProductField, mine: boolean) => {
    const next = new Set(keepMine);
    if (mine) next.add(field);
    else next.delete(field);
    setKeepMine(next);
  };
  const taken = conflicts.filter(({ kind }) => kind === 'theirs');
  return (
    <section className="notice notice-warn conflict" aria-labelledby={id}>
      <h3 id={id} ref={heading} tabIndex={-1} className="text-xl">
        This product changed while you were editing
      </h3>
      {conflicts
        .filter(({ kind }) => kind === 'both')
        .map(({ field, message, mine, theirs }) => (
          <fieldset key={field} className="conflict-field">
            <legend>{message}</legend>
            <label>
              <input type="radio" name={`${id}-${field}`} checked={keepMine.has(field)} onChange={() => choose(field, true)} />
              <span>
                Keep mine: <b>{mine}</b>
              </span>
            </label>
            <label>
              <input type="radio" name={`${id}-${field}`} checked={!keepMine.has(field)} onChange={() => choose(field, false)} />
              <span>
                Take theirs: <b>{theirs}</b>
              </span>
            </label>
          </fieldset>
        ))}
      {taken.length === 0 ? null : (
        <ul className="conflict-taken">
          {taken.map(({ field, message }) => (
            <li key={field}>{message}. You had not changed it, so the new one is taken.</li>
          ))}
        </ul>
      )}
      <button type="button" className="btn btn-primary" aria-busy={busy} onClick={() => busy || onResolve(keepMine)}>
        Save with these
      </button>
    </section>
  );
}
