import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { indiaCalendarDay } from '#domain/calendar-day.ts';
import type { PublishState } from '#domain/admin/publish.ts';
import { indiaMoment, indiaTime } from '#domain/india-dates.ts';
import { ordinalNumber } from '#domain/ordinal.ts';

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

/** When the changes are published by themselves; '' when they are not, or when a build is under way. */
export function describeNext({ count, nextAt, build, configured }: PublishState): string {
  if (!configured || count === 0 || build.state !== 'published') return '';
  return nextAt === null
    ? 'Customers see these changes already; the next build takes them in.'
    : `Published by itself ${timeOf(nextAt)}.`;
}

function timeOf(nextAt: string): string {
  const [now, at] = [new Date(), new Date(nextAt)];
  if (at.getTime() <= now.getTime() + 60_000) return 'within minutes';
  const isToday = indiaCalendarDay(at) === indiaCalendarDay(now);
  return `at ${isToday ? indiaTime(nextAt) : indiaMoment(nextAt)}`;
}

/** What an edit's message needs of a product. */
export type EditedProduct = Pick<AdminProduct, 'id' | 'hidden'>;

/** Says where customers see an edit now, and when they see it everywhere. `products` are the edited ones, as stored. */
export function describeEdit(
  { changes, nextAt }: PublishState,
  products: readonly EditedProduct[],
): string {
  if (products.every(({ hidden }) => hidden)) return 'Customers do not see this.';
  const ids = new Set(products.map(({ id }) => id));
  const waiting = changes.filter(({ productId, needsBuild }) => needsBuild && ids.has(productId));
  if (waiting.length === 0) return 'Customers see this now.';
  const later = nextAt === null ? 'when you publish' : timeOf(nextAt);
  return waiting.every(({ kind }) => kind === 'added')
    ? `On its own page now, in the shop ${later}.`
    : `Price and stock are seen now, the rest ${later}.`;
}

/** What publishing now takes of the month: '9th of 60 this month'; '' where builds cost nothing. */
export function describeCost({ deploys, configured }: PublishState): string {
  if (deploys === null || !configured) return '';
  return `‘Publish now’ takes the ${ordinalNumber(deploys.used + 1)} of ${String(deploys.perMonth)} this month.`;
}

/** What the admin reads before one of the last deploys of the month is taken; null while more than a tenth is left. */
export function describeLast({ deploys }: PublishState): string | null {
  if (deploys === null) return null;
  const left = deploys.perMonth - deploys.used;
  if (left > deploys.perMonth / 10) return null;
  return left > 0
    ? `${String(left)} of this month’s ${String(deploys.perMonth)} deploys ${left === 1 ? 'is' : 'are'} left. Each costs 15 of Netlify’s credits.`
    : `This month’s ${String(deploys.perMonth)} deploys are used up. Each further one costs 15 of Netlify’s credits, and without credits the shop is offline until Netlify’s next billing cycle.`;
}
