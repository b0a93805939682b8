import { alertOfBuild, alertOfDeploys } from '../health/silence-alerts.ts';
import { removeUnusedImages } from '../catalogue/image-files.ts';
import { endDeletedProducts } from '../catalogue/products.ts';
import { requestBuild, readPublishState } from '../publishing/publish.ts';

/** Outcome of the catalogue's part of a sweep. */
export interface CatalogueSweep {
  published: boolean;
  productsEnded: number;
  imagesRemoved: number;
}

/** Publishes changes that have waited, ends products that were deleted long ago, and clears away images that nothing shows any more. */
export async function sweepCatalogue(request: Request): Promise<CatalogueSweep> {
  const published = await requestBuild(request, 'auto');
  const state = await readPublishState(request);
  const { count, build } = state;
  await alertOfBuild(build);
  await alertOfDeploys(state);
  const productsEnded = await endDeletedProducts(50);
  // Pages that are not built anew yet still show the old images.
  const isCurrent = !published && count === 0 && build.state === 'published';
  return {
    published,
    productsEnded,
    imagesRemoved: isCurrent ? await removeUnusedImages(50) : 0,
  };
}
