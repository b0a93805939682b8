import type { PublishState } from '../../../domain/admin/publish.ts';
import { indiaMoment } from '../../../domain/india-dates.ts';

/** How much shoppers see of what was changed, as a sentence. */
export function describeChanges({ count, build }: PublishState): string {
  if (build.state === 'failed') return 'The last try to publish failed.';
  if (build.state === 'late') return 'Publishing takes longer than it should.';
  if (count === 0) return 'Everything is published.';
  return count === 1
    ? '1 change is not published yet.'
    : `${String(count)} changes are not published yet.`;
}

/** What shoppers see meanwhile, and what to do. */
export function describeBuild({ build, configured }: PublishState): string {
  if (!configured)
    return 'Publishing from here is not set up. Whoever looks after your site can do that.';
  const { publishedAt, startedAt } = build;
  if (build.state === 'building')
    return startedAt === null
      ? 'Being published now.'
      : `Being published since ${indiaMoment(startedAt)}.`;
  const published = publishedAt === null ? '' : `Published ${indiaMoment(publishedAt)}.`;
  if (build.state !== 'failed' && build.state !== 'late') return published;
  const seen =
    publishedAt === null
      ? ''
      : `Shoppers see the pages of ${indiaMoment(publishedAt)}; prices and stock are right in them. `;
  return `${seen}Press ‘Publish now’ to try again. If it fails again, tell whoever looks after your site.`;
}
