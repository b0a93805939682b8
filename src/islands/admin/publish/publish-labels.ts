import type { PublishState } from '../../../domain/admin/publish.ts';
import { indiaMoment } from '../../../domain/india-dates.ts';


/** How many changes wait, as a sentence. */
export function describeChanges(count: number): string {
  if (count === 0) return 'The built pages are up to date.';
  return count === 1 ? '1 change is not yet in the built pages.' : `${String(count)} changes are not yet in the built pages.`;
}

/** How the last build went, as a sentence. */
export function describeBuild({ build, configured }: PublishState): string {
  if (!configured) return 'Publishing is not set up: the site has no build hook yet.';
  const published = build.publishedAt === null ? '' : `Published ${indiaMoment(build.publishedAt)}.`;
  switch (build.state) {
    case 'none':
      return published;
    case 'building':
      return build.startedAt === null ? 'Building now.' : `Building since ${indiaMoment(build.startedAt)}.`;
    case 'published':
      return published;
    case 'failed':
      return `The last build failed: ${build.reason ?? 'no reason was given'} ${published}`.trim();
    case 'late':
      return `A build was asked for${build.startedAt === null ? '' : ` at ${indiaMoment(build.startedAt)}`} and has not been heard of since. ${published}`.trim();
  }
}
