import { useState } from 'react';
import { productCount } from '#domain/admin/products/product-form.ts';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { bulkEditsApi } from './domain/bulk-edits-api.ts';
import { editProducts, type SeveralEdit } from './domain/several-edits.ts';
import { callAdmin } from '#services/admin/api.ts';
import { refusedOf, saveProducts } from '#services/admin/catalogue/several-products.ts';
import { forgetProductDraft } from '#services/admin/catalogue/product-drafts.ts';
import type { EditedProduct } from '#islands/admin/publish/publish-labels.ts';
import { tellEdit } from '#islands/admin/publish/tell-edit.ts';
import { catalogueEdited } from '#islands/admin/shared/catalogue-edits.ts';
import { failureMessage } from '#islands/admin/shared/fetching/failure.ts';
import { useAction } from '#islands/admin/shared/use-action.ts';

export interface Several {
  busy: boolean;
  /** Why the last one was not done, one sentence a line. */
  problems: readonly string[];
  /** The products that were just deleted here, to bring them back at a press. */
  deleted: readonly string[];
  clear: () => void;
  /** Each is done to all of them or to none, and answers whether it was done. */
  edit: (products: readonly AdminProduct[], edit: SeveralEdit) => Promise<boolean>;
  remove: (products: readonly AdminProduct[]) => Promise<boolean>;
  restore: (ids: readonly string[]) => Promise<boolean>;
}

/** Edits of the chosen products. The list is fetched again after each, also when it was refused. */
export function useSeveral(): Several {
  const action = useAction();
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [deleted, setDeleted] = useState<readonly string[]>([]);
  const showFailure = (error: unknown) => {
    const refused = refusedOf(error);
    setProblems(
      refused
        ? [
            'Nothing was changed, because in the meantime:',
            ...refused,
            'The list was reloaded. Please check it and try again.',
          ]
        : [failureMessage(error)],
    );
  };
  const run = async (
    work: () => Promise<{ title: string; products: readonly EditedProduct[] | null }>,
  ): Promise<boolean> => {
    if (action.busy) return false;
    setProblems([]);
    const isDone = await action.run(showFailure, async () => {
      const { title, products } = await work();
      void tellEdit(title, { products });
    });
    if (!isDone) catalogueEdited();
    return isDone;
  };
  return {
    busy: action.busy,
    problems,
    deleted,
    clear: () => setProblems([]),
    edit: async (products, edit) => {
      const { edited, faults } = editProducts(products, edit);
      if (faults.length > 0) {
        setProblems([
          'Nothing was changed:',
          ...faults.map(({ name, message }) => `${name}: ${message}.`),
        ]);
        return false;
      }
      if (edited.length === 0) {
        setProblems(['These products already are. Nothing was changed.']);
        return false;
      }
      return run(async () => {
        await saveProducts(edited);
        return {
          title: `${productCount(edited.length)} changed`,
          products: edited.map(({ id, product: { hidden } }) => ({ id, hidden })),
        };
      });
    },
    remove: (products) =>
      run(async () => {
        const { ids: gone } = await callAdmin(bulkEditsApi.remove, {
          body: { ids: products.map(({ id }) => id) },
        });
        for (const id of gone) forgetProductDraft(id);
        setDeleted(gone);
        return {
          title: `${productCount(gone.length)} deleted`,
          products: gone.map((id) => ({ id, hidden: true })),
        };
      }),
    restore: (ids) =>
      run(async () => {
        const { ids: back } = await callAdmin(bulkEditsApi.restore, { body: { ids: [...ids] } });
        setDeleted([]);
        return { title: `${productCount(back.length)} brought back`, products: null };
      }),
  };
}
