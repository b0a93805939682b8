import type { PublishState } from '../../../domain/admin/publish.ts';
import { indiaMoment } from '../../../domain/india-dates.ts';

/** How much customers see of what was changed, as a sentence. */
export function describeChanges({ count, build, empty }: PublishState): string {
  if (empty) return 'All products are hidden or deleted, so there is nothing to publish.';
  if (build.state === 'failed') return 'The last attempt to publish failed.';
  if (build.state === 'late') return 'Publishing is taking longer than expected.';
  if (count === 0) return 'Everything is published.';
  return count === 1
    ? '1 change is not published yet.'
    : `${String(count)} changes are not published yet.`;
}

/** The state of the build: when the shown pages were made, and what to do after a failure. */
export function describeBuild({ build, configured, empty }: PublishState): string {
  if (!configured)
    return 'Publishing is not set up. The person who maintains your site can do that.';
  const { publishedAt, startedAt } = build;
  if (build.state === 'building')
    return startedAt === null
      ? 'Being published now.'
      : `Being published since ${indiaMoment(startedAt)}.`;
  if (empty)
    return `Show or add a product, and publish again.${
      publishedAt === null
        ? ''
        : ` Until then customers see the pages of ${indiaMoment(publishedAt)}.`
    }`;
  const published = publishedAt === null ? '' : `Published ${indiaMoment(publishedAt)}.`;
  if (build.state !== 'failed' && build.state !== 'late') return published;
  const seen =
    publishedAt === null
      ? ''
      : `Customers see the pages of ${indiaMoment(publishedAt)}; their prices and stock are current. `;
  return `${seen}Press ‘Publish now’ to try again. If it fails again, tell the person who maintains your site.`;
}
