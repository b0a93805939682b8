import * as z from 'zod/mini';
import { changes, reads } from './endpoint.ts';

/** How far the built pages are behind the catalogue, and how the last build went. Times are ISO 8601. */
export const publishStateSchema = z.object({
  /** Changed products that customers see only live, newest first; at most 50. */
  changes: z.array(
    z.object({
      productId: z.string(),
      name: z.string(),
      kind: z.enum(['added', 'changed', 'hidden', 'deleted']),
      at: z.string(),
      /** Whether customers see all of it only after a build. */
      needsBuild: z.boolean(),
    }),
  ),
  /** All of them, counted. */
  count: z.int(),
  /** When the next automatic build is due, perhaps a time in the past; null when no change needs one, or failures stop them. */
  nextAt: z.nullable(z.string()),
  /** The deploys of this month in India, and how many it may have; null where builds cost nothing. */
  deploys: z.nullable(z.object({ used: z.int(), perMonth: z.int() })),
  build: z.object({
    /** 'late' is a build that was requested more than 15 minutes ago and has no result yet. */
    state: z.enum(['none', 'building', 'published', 'failed', 'late']),
    /** When the last build began. */
    startedAt: z.nullable(z.string()),
    /** When the site that customers see was built. */
    publishedAt: z.nullable(z.string()),
    /** Why the last build failed, in words for the admin. */
    reason: z.nullable(z.string()),
  }),
  /** Every product is hidden or deleted: a build refuses to publish a shop without products. */
  empty: z.boolean(),
  /** Whether there is a BUILD_HOOK_URL. Nothing can be published from here without one. */
  configured: z.boolean(),
});
export type PublishState = z.infer<typeof publishStateSchema>;

/** Whether 70 % of the month's deploys are used. */
export const isBudgetLow = ({ used, perMonth }: NonNullable<PublishState['deploys']>): boolean =>
  used * 10 >= perMonth * 7;

export const publishApi = {
  read: reads('/api/admin/publish', publishStateSchema),
  /** Requests a build; with `auto` only if one is due. */
  request: changes(
    'POST',
    '/api/admin/publish',
    z.object({ auto: z.optional(z.boolean()) }),
    publishStateSchema,
  ),
};
