import * as z from 'zod/mini';

const time = z.nullable(z.string());

/** The answer of SQL `shop_health`. */
export const factsSchema = z.object({
  sweep_at: time,
  sweep_expected_since: time,
  forget_at: time,
  forget_expected_since: time,
  outbox_waiting: z.int(),
  outbox_given_up: z.int(),
  outbox_stuck_since: time,
  mail_refused_since: z._default(time, null),
  mail_refused_by: z._default(z.nullable(z.string()), null),
  sign_ups_refused: z.int(),
  mails_used_up: z._default(z.boolean(), false),
  webhook_at: time,
  webhook_missing_since: time,
});
export type HealthFacts = z.infer<typeof factsSchema>;

const checkSchema = z.object({
  ok: z.boolean(),
  /** Why not, as a word for programs; docs/alerts.md explains each. It is a warning when `ok` is true. */
  reason: z.optional(z.string()),
  /** State of the last build. */
  state: z.optional(z.string()),
});
/** Words only: anyone can read the report, so it has no times and no numbers of the shop. */
export type HealthCheck = z.infer<typeof checkSchema>;

/** The answer of /api/health: 200 when `status` is 'pass', 503 when one check is not ok. */
export const healthReportSchema = z.object({
  status: z.enum(['pass', 'fail']),
  /** Version of the deployed sources. */
  version: z.string(),
  at: z.string(),
  checks: z.object({
    database: checkSchema,
    provider: checkSchema,
    mail: checkSchema,
    signUp: checkSchema,
    sweep: checkSchema,
    forget: checkSchema,
    webhook: checkSchema,
    build: checkSchema,
  }),
});
export type HealthReport = z.infer<typeof healthReportSchema>;
