import { alertOfBuild } from '../health/silence-alerts.ts';
import { removeUnusedPictures } from '../catalogue/picture-files.ts';
import { requestBuild, readPublishState } from '../publishing/publish.ts';

/** What was done for the admin in the background. */
export interface CatalogueSweep {
  published: boolean;
  picturesRemoved: number;
}

/** Publishes changes that have waited, and clears away pictures that nothing shows any more. */
export async function sweepCatalogue(request: Request): Promise<CatalogueSweep> {
  const published = await requestBuild(request, 'auto');
  const { count, build } = await readPublishState(request);
  await alertOfBuild(build);
  // Pages that are not built anew yet still show the old pictures.
  const isCurrent = !published && count === 0 && build.state === 'published';
  return { published, picturesRemoved: isCurrent ? await removeUnusedPictures(50) : 0 };
}
