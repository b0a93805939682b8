import * as z from 'zod/mini';
import { retentionDays } from '#domain/retention.ts';
import { callFunction } from '#core/platform/database.ts';

/** Small enough for the database's time limit of 8 seconds, also on the first run of a shop with years of rows. */
const rowsPerCall = 500;

/** What SQL `forget` answers. */
export const forgetOutcomes = ['more', 'done', 'not_due'] as const;
const answerSchema = z.object({
  outcome: z.enum(forgetOutcomes),
  forgotten: z.record(z.string(), z.int()),
});

/**
 * Deletes what is older than its term, once a day, until `deadline` (ms since the epoch). The next
 * run continues where this one stopped. Returns the rows by subject.
 */
export async function forgetWhenDue(deadline: number): Promise<Record<string, number>> {
  const total: Record<string, number> = {};
  let outcome = 'more';
  while (outcome === 'more' && Date.now() < deadline) {
    const answer = await callFunction(
      'forget',
      { p_terms: retentionDays, p_limit: rowsPerCall },
      answerSchema,
    );
    for (const [subject, rows] of Object.entries(answer.forgotten))
      total[subject] = (total[subject] ?? 0) + rows;
    outcome = answer.outcome;
  }
  return total;
}
