import * as z from 'zod/mini';
import { alertOfBuild, alertOfDeploys } from '#core/health/silence-alerts.ts';
import { removeUnusedImages } from '#core/catalogue/image-files.ts';
import { endDeletedProducts } from '#core/catalogue/products.ts';
import { announceWithdrawal } from '#core/catalogue/withdrawn.ts';
import { callFunction } from '#core/platform/database.ts';
import { requestBuild, readPublishState } from '#core/publishing/publish.ts';

/** Outcome of the catalogue's part of a sweep. */
export interface CatalogueSweep {
  published: boolean;
  productsEnded: number;
  imagesRemoved: number;
}

/**
 * Publishes changes that have waited, purges products that were deleted long ago, and deletes unused images. When
 * nothing is left to do until something changes, the next runs leave this out: `catalogueState` is how the database stood before.
 */
export async function sweepCatalogue(
  request: Request,
  catalogueState: string | null = null,
): Promise<CatalogueSweep> {
  const published = await requestBuild(request, 'auto');
  // A review may have been erased: pages that the edge keeps back are looked up anew.
  if (published) await announceWithdrawal(request);
  const state = await readPublishState(request);
  const { toBuild, build, nextAt, configured } = state;
  await alertOfBuild(build);
  await alertOfDeploys(state);
  const productsEnded = await endDeletedProducts(50);
  const isLive = !published && build.state === 'published';
  // Pages that are not built anew yet still show the old images.
  const isCurrent = isLive && toBuild === 0;
  const imagesRemoved =
    (await removeUnusedImages(50, 'reviews')) +
    (isCurrent ? await removeUnusedImages(50, 'products') : 0);
  if (isLive && build.publishedAt !== null && catalogueState !== null)
    await callFunction(
      'note_catalogue_rest',
      { p_state: catalogueState, p_until: configured ? nextAt : null, p_complete: isCurrent },
      z.unknown(),
    );
  return { published, productsEnded, imagesRemoved };
}
