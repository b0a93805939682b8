import type { ConflictChoices } from '../../../../domain/admin/products/product-conflict.ts';
import { indiaMoment } from '../../../../domain/india-dates.ts';
import { FormRefusal } from '../../../shared/FormRefusal.tsx';
import { ConflictPanel } from './ConflictPanel.tsx';
import type { ProductModel } from './product-model.ts';
import type { SaveProblem } from './use-product-saving.ts';

interface FormNoticesProps {
  model: ProductModel;
  problem: SaveProblem;
  busy: boolean;
  onResolve: (choices: ConflictChoices) => void;
}

/** Notices about this form before it is saved; the reason of a failed save stands beside its button. */
export function FormNotices({ model, problem, busy, onResolve }: FormNoticesProps) {
  if (problem?.kind === 'conflict') {
    // Another conflict is another question.
    return (
      <ConflictPanel
        key={problem.current.updatedAt}
        conflicts={problem.conflicts}
        busy={busy}
        onResolve={onResolve}
      />
    );
  }
  if (model.restoredFrom === null) return null;
  return (
    <p className="notice" role="status">
      Your unsaved draft of {indiaMoment(new Date(model.restoredFrom).toISOString())} is back.
    </p>
  );
}

interface SaveFailureProps {
  problem: SaveProblem;
  busy: boolean;
  onAddAnew: () => void;
}

/** Why the last press of 'Save' saved nothing, beside that button. A conflict is a question of its own. */
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
  if (problem?.kind !== 'failed') return null;
  return (
    <p className="notice notice-danger basis-full" role="alert">
      <b>Not saved.</b> {problem.message}
    </p>
  );
}
