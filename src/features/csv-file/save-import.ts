import type { ImportPlan } from './domain/import-plan.ts';
import type { PlannedProduct } from './domain/plan-row.ts';
import { csvFileApi } from './domain/csv-file-api.ts';
import type { FailedImage, ImportImages } from './import-images.ts';
import { AdminError } from '#services/admin/admin-error.ts';
import { callAdmin } from '#services/admin/api.ts';
import { saveProducts } from '#services/admin/catalogue/several-products.ts';
import { tellEdit } from '#islands/admin/publish/tell-edit.ts';

interface SavedImport {
  plan: ImportPlan;
  images: ImportImages;
  /** The plan with the images that are stored by now. */
  planAgain: () => ImportPlan;
  signal: AbortSignal;
  onStep: (words: string) => void;
}

/** A part is saved whole. With images it is small: what was brought over is lost with a closed tab until its product is saved. */
const partSize = { withImages: 20, without: 200 };
const addressesAtOnce = 1_000;

const isOfFile = (entry: string): boolean => entry.startsWith('products/new-');
const plannedOf = ({ added, changed }: ImportPlan): PlannedProduct[] =>
  [...added, ...changed].sort((a, b) => a.row - b.row);

/** Where the old addresses of imported products lead, those of earlier imports of the same file too. */
async function storeOldAddresses(imported: readonly Pick<PlannedProduct, 'id' | 'oldAddresses'>[]) {
  const rows = imported.flatMap(({ id, oldAddresses }) =>
    oldAddresses.map((path) => ({ path, product_id: id })),
  );
  for (let at = 0; at < rows.length; at += addressesAtOnce)
    await callAdmin(csvFileApi.storeOldAddresses, {
      body: { rows: rows.slice(at, at + addressesAtOnce) },
    });
}

/**
 * Brings the images over and saves the products, part by part, in the order of the file. A product whose image cannot be had waits:
 * returns these images. Throws AdminError; the parts before are saved then.
 */
export async function saveImport(work: SavedImport): Promise<FailedImage[]> {
  const { plan, images, planAgain, signal, onStep } = work;
  const planned = plannedOf(plan);
  const all = planned.flatMap(({ product }) => product.images.filter(isOfFile));
  const size = all.length > 0 ? partSize.withImages : partSize.without;
  const saved: PlannedProduct[] = [];
  const failed: FailedImage[] = [];
  let brought = 0;
  const tellStep = () =>
    onStep(
      [
        all.length > 0 && brought < all.length
          ? `Picture ${String(brought + 1)} of ${String(all.length)}`
          : 'Saving',
        ...(planned.length > size
          ? [`${String(saved.length)} of ${String(planned.length)} products saved`]
          : []),
      ].join(', ') + '…',
    );
  try {
    for (let at = 0; at < planned.length; at += size) {
      const part = planned.slice(at, at + size);
      tellStep();
      const entries = new Set(part.flatMap(({ product }) => product.images));
      failed.push(
        ...(await images.bring(entries, signal, () => {
          brought += 1;
          tellStep();
        })),
      );
      if (signal.aborted) throw new AdminError('Stopped.', 0, 'stopped');
      const ids = new Set(part.map(({ id }) => id));
      const ready = plannedOf(planAgain()).filter(
        ({ id, product }) => ids.has(id) && !product.images.some(isOfFile),
      );
      if (ready.length > 0) await saveProducts(ready);
      saved.push(...ready);
    }
  } finally {
    if (saved.length > 0) {
      const added = saved.filter(({ seen }) => seen === null).length;
      void tellEdit('Saved', {
        products: saved.map(({ id, product: { hidden } }) => ({ id, hidden })),
        notes: [`${String(added)} added, ${String(saved.length - added)} changed.`],
      });
    }
  }
  await storeOldAddresses([...saved, ...plan.importedBefore]);
  return failed;
}
