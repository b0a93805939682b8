import { useState } from 'react';
import {
  findConflicts,
  resolveConflicts,
  type ConflictChoices,
  type FieldConflict,
} from '../../../../domain/admin/products/product-conflict.ts';
import {
  formOfProduct,
  readProductForm,
  unplacedStock,
  type ProductErrors,
  type ProductField,
} from '../../../../domain/admin/products/product-form.ts';
import type {
  AdminProduct,
  ProductInput,
} from '../../../../domain/admin/products/product-input.ts';
import { catalogueEdited } from '../../../../stores/admin-catalogue.ts';
import { showToast } from '../../../../stores/toasts.ts';
import type { ProductModel } from './product-model.ts';
import { saveProduct } from './save-product.ts';

/** Why the form was not saved. */
export type SaveProblem =
  | null
  | { kind: 'conflict'; current: AdminProduct; conflicts: FieldConflict[] }
  | { kind: 'refused'; missing: boolean }
  | { kind: 'gone' }
  | { kind: 'failed'; message: string };

export interface ProductSaving {
  busy: boolean;
  errors: ProductErrors;
  problem: SaveProblem;
  clearError: (field: ProductField) => void;
  /** Returns the messages by field, for the focus; empty when there were none. */
  save: () => Promise<ProductErrors>;
  /** After a conflict: takes what is stored, but for the fields that are chosen otherwise, and saves. */
  saveResolved: (choices: ConflictChoices) => Promise<ProductErrors>;
  /** After 'gone': adds the product anew. */
  addAnew: () => Promise<ProductErrors>;
}

const unsaved = () =>
  showToast('Error', { description: 'Failed to save product', tone: 'destructive' });

/** Saving of one product form (spec sections 5 and 8). `onSaved` is called once it is stored. */
export function useProductSaving(model: ProductModel, onSaved: () => void): ProductSaving {
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<ProductErrors>({});
  const [problem, setProblem] = useState<SaveProblem>(null);

  const finish = (saved: AdminProduct, isNew: boolean) => {
    const lost = model.images.$slots.get().filter(({ upload }) => upload !== null).length;
    model.forget();
    showToast(isNew ? 'Added' : 'Updated', {
      tone: 'success',
      ...(lost === 0
        ? {}
        : { description: 'Without the picture that could not be sent.', durationMs: 8_000 }),
    });
    // Before the form closes: 'Edit' then opens what was saved.
    catalogueEdited({ saved });
    onSaved();
  };
  const send = async (product: ProductInput, tries = 0): Promise<ProductErrors> => {
    const base = model.base();
    const outcome = await saveProduct(model.id(), base, product);
    if (outcome.kind === 'saved') {
      finish(outcome.product, base === null);
      return {};
    }
    if (outcome.kind === 'conflict') {
      const { current } = outcome;
      const mine = model.form();
      const conflicts = findConflicts(formOfProduct(base ?? current), mine, formOfProduct(current));
      // The row moved on, but not where it matters to this form.
      if (conflicts.length === 0 && tries < 3) {
        model.rebase(current, mine);
        return send(product, tries + 1);
      }
      setProblem({ kind: 'conflict', current, conflicts });
      return {};
    }
    unsaved();
    if (outcome.kind === 'gone') setProblem(outcome);
    else {
      setProblem({ kind: 'failed', message: outcome.message });
      setErrors(outcome.errors);
      return outcome.errors;
    }
    return {};
  };
  const save = async (): Promise<ProductErrors> => {
    if (busy) return {};
    setProblem(null);
    const first = readProductForm(model.form());
    if (!first.ok) {
      setErrors(first.errors);
      setProblem({ kind: 'refused', missing: first.missing });
      return first.errors;
    }
    const unplaced = unplacedStock(model.form(), model.base());
    if (unplaced > 0) {
      const found = { sizes: `All sizes are at 0. Into which size do the ${String(unplaced)} go?` };
      setErrors(found);
      setProblem({ kind: 'refused', missing: false });
      return found;
    }
    setErrors({});
    setBusy(true);
    try {
      await model.images.settled();
      // Edits made while the images were on their way count too.
      const reading = readProductForm(model.form());
      return await send(reading.ok ? reading.product : first.product);
    } finally {
      setBusy(false);
    }
  };

  return {
    busy,
    errors,
    // It says that a field has a message.
    problem: problem?.kind === 'refused' && Object.keys(errors).length === 0 ? null : problem,
    clearError: (field) => setErrors(({ [field]: _cleared, ...others }) => others),
    save,
    saveResolved: (choices) => {
      if (problem?.kind !== 'conflict') return Promise.resolve({});
      const { current, conflicts } = problem;
      model.rebase(
        current,
        resolveConflicts(model.form(), formOfProduct(current), conflicts, choices),
      );
      return save();
    },
    addAnew: () => {
      model.becomeNew();
      return save();
    },
  };
}
