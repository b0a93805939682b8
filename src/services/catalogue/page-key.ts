import { createHash } from 'node:crypto';
import { indiaCalendarDay } from '../../domain/calendar-day.ts';
import { buildSources } from '../environment.ts';
import { noticeRow } from './notice-row.ts';

// One for the whole build, also of one that passes midnight.
const day = indiaCalendarDay(new Date());

/**
 * The `cacheKey` of a page: while it is the same, the next build copies the page of this one instead of rendering it (docs/decisions/0017).
 * `data` is all that the page shows of the catalogue. The rest is the same for every page: sources, packages and variables; the
 * owner's notice; and the day, because of what a page says by the calendar, and so that no copy is ever older than a day.
 */
export async function pageKey(data: unknown): Promise<string> {
  const { row } = await noticeRow();
  return createHash('sha256')
    .update(JSON.stringify([buildSources, day, row, data]))
    .digest('base64url');
}
