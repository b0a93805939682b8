import { useState } from 'react';
import {
  formOfProduct,
  readProductForm,
  sizeErrors,
  unplacedStock,
  type ProductErrors,
  type ProductField,
  type ProductForm,
} from '#domain/admin/products/product-form.ts';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { rebaseForm } from '#domain/admin/products/product-rebase.ts';
import { showToast } from '#stores/toasts.ts';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { tellEdit } from '#islands/admin/publish/tell-edit.ts';
import type { ProductModel } from './product-model.ts';
import { saveProduct, stockNote } from './save-product.ts';

/** Why the form was not saved. */
export type SaveProblem =
  | null
  | { kind: 'changed' }
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
  /** After 'gone': adds the product anew. */
  addAnew: () => Promise<ProductErrors>;
}

/** Saving of one product form (spec sections 5 and 8). `onSaved` is called once it is stored. */
export function useProductSaving(model: ProductModel, onSaved: () => void): ProductSaving {
  const action = useAction();
  const [errors, setErrors] = useState<ProductErrors>({});
  const [problem, setProblem] = useState<SaveProblem>(null);

  /** Shows why nothing was saved; returns the messages by field. */
  const refuse = (reason: SaveProblem, found: ProductErrors = {}): ProductErrors => {
    setProblem(reason);
    setErrors(found);
    return found;
  };
  const finish = (saved: AdminProduct, isNew: boolean) => {
    const lost = model.images.$slots.get().filter(({ upload }) => upload !== null).length;
    const notes = [
      lost === 0 ? null : 'Without the picture that could not be sent.',
      stockNote(model.form(), saved),
    ].filter((note) => note !== null);
    model.forget();
    // Before the form closes: 'Edit' then opens what was saved.
    void tellEdit(isNew ? 'Added' : 'Updated', { products: [saved], edit: { saved }, notes });
    onSaved();
  };
  const send = async (checked: ProductForm): Promise<ProductErrors> => {
    await model.images.settled();
    const base = model.base();
    // Edits made while the images were on their way count too.
    const latest = model.form();
    const form = readProductForm(latest).ok ? latest : checked;
    const outcome = await saveProduct(model.id(), base, form);
    if (outcome.kind === 'saved') {
      finish(outcome.product, base === null);
      return {};
    }
    if (outcome.kind === 'changed') {
      const { current } = outcome;
      // Also what was typed while it was being saved.
      const rebased = rebaseForm(
        formOfProduct(base ?? current),
        model.form(),
        formOfProduct(current),
      );
      model.rebase(current, rebased.form);
      return refuse({ kind: 'changed' }, rebased.changed);
    }
    showToast('Error', { description: 'Failed to save product', tone: 'destructive' });
    return outcome.kind === 'gone'
      ? refuse(outcome)
      : refuse({ kind: 'failed', message: outcome.message }, outcome.errors);
  };
  const save = async (): Promise<ProductErrors> => {
    if (action.busy) return {};
    const form = model.form();
    const reading = readProductForm(form);
    const unsized = sizeErrors(form);
    if (!reading.ok)
      return refuse(
        { kind: 'refused', missing: reading.missing },
        { ...unsized, ...reading.errors },
      );
    if (unsized.size !== undefined) return refuse({ kind: 'refused', missing: false }, unsized);
    const unplaced = unplacedStock(form, model.base());
    if (unplaced > 0)
      return refuse(
        { kind: 'refused', missing: false },
        { sizes: `All sizes are at 0. Into which size do the ${String(unplaced)} go?` },
      );
    refuse(null);
    let found: ProductErrors = {};
    await action.run('Not saved', async () => {
      found = await send(form);
    });
    return found;
  };

  return {
    busy: action.busy,
    errors,
    // It says that a field has a message.
    problem: problem?.kind === 'refused' && Object.keys(errors).length === 0 ? null : problem,
    clearError: (field) => setErrors(({ [field]: _cleared, ...others }) => others),
    save,
    addAnew: () => {
      model.becomeNew();
      return save();
    },
  };
}
