import * as z from 'zod/mini';
import { retention } from '#domain/retention.ts';
import { cartMailAfterHours } from '#settings/cart-mail.ts';
import { askAfterDays } from '#settings/reviews.ts';
import { seller } from '#settings/seller.ts';
import { sqlSettings } from '#settings/sql-settings.ts';
import { callFunction } from '#core/platform/database.ts';

const startSchema = z.object({
  /** Names of the parts with nothing to do. */
  idle: z.array(z.string()),
  /** Whether nothing is due, and the run is recorded already. */
  isOver: z.boolean(),
  /** What the catalogue's part names when it has nothing to do; null when that cannot be recorded. */
  catalogueState: z.nullable(z.string()),
});
export type SweepStart = z.infer<typeof startSchema>;

/** The start of a run of which nothing is known: every part runs. */
export const allDue: SweepStart = { idle: [], isOver: false, catalogueState: null };

const strangerMails = { p_stranger_mails: seller.mails.fromStrangersPerDay };

/** Reads which of these parts have something to do. Throws HttpError 503 without a database. */
export const beginSweep = (names: readonly string[]): Promise<SweepStart> =>
  callFunction(
    'begin_sweep',
    {
      ...strangerMails,
      p_steps: names,
      p_settings: sqlSettings,
      p_claim_days: retention.claim_files.days,
      p_review_days: askAfterDays,
      p_cart_hours: cartMailAfterHours,
    },
    startSchema,
  );

/** Records that a run has come to its end. */
export async function noteSweep(): Promise<void> {
  await callFunction('note_sweep', strangerMails, z.unknown());
}
