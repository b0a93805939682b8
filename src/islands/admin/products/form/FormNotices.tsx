import { indiaMoment } from '#domain/india-dates.ts';
import { FormRefusal } from '#islands/shared/FormRefusal.tsx';
import type { SaveProblem } from './use-product-saving.ts';

/** Says that the form was not begun with the product as it is stored. */
export function DraftNotice({ restoredFrom }: { restoredFrom: string | null }) {
  if (restoredFrom === null) return null;
  return (
    <p className="notice" role="status">
      Your unsaved draft of {indiaMoment(new Date(restoredFrom).toISOString())} is back.
    </p>
  );
}

interface SaveFailureProps {
  problem: SaveProblem;
  busy: boolean;
  onAddAnew: () => void;
}

/** Why the last press of 'Save' saved nothing, beside that button. */
export function SaveFailure({ problem, busy, onAddAnew }: SaveFailureProps) {
  if (problem?.kind === 'gone') {
    return (
      <div className="notice notice-warn basis-full" role="alert">
        <p>This product has been deleted. What you typed is still here.</p>
        <button
          type="button"
          className="btn btn-secondary mt-3"
          aria-busy={busy}
          onClick={() => busy || onAddAnew()}
        >
          Add it as a new product
        </button>
      </div>
    );
  }
  if (problem?.kind === 'refused')
    return problem.missing ? (
      <FormRefusal title="Missing fields" text="Name, price, category required" />
    ) : (
      <FormRefusal />
    );
  if (problem?.kind === 'changed')
    return (
      <p className="notice notice-warn basis-full" role="alert">
        <b>Not saved.</b> This product was changed elsewhere while you were editing. What you typed
        is still here. Look at the marked fields, and save again.
      </p>
    );
  if (problem?.kind !== 'failed') return null;
  return (
    <p className="notice notice-danger basis-full" role="alert">
      <b>Not saved.</b> {problem.message}
    </p>
  );
}
