import { notifyAdmin } from '#core/mail/notify-admin.ts';
import { isBudgetLow, type PublishState } from '#domain/admin/publish.ts';
import { isoDateInIndia } from '#domain/india-month.ts';
import { readFacts, sweepSilentSince } from './read-health.ts';

/**
 * Alerts the admin when the sweep or Razorpay's webhook has stopped. One mail per incident: its key names the last time
 * that all was well. Throws HttpError 503 when the database cannot be reached.
 */
export async function alertOfSilence(): Promise<void> {
  const facts = await readFacts();
  const sweep = sweepSilentSince(facts);
  // A shop without a first sweep has no incident but an unfinished set-up, which /api/health and the doctor name.
  if (sweep !== null && facts.sweep_at !== null)
    await notifyAdmin('sweep_silent', { since: sweep }, `sweep_silent:${sweep}`);
  const webhook = facts.webhook_missing_since;
  if (webhook !== null) {
    await notifyAdmin(
      'webhook_silent',
      { since: webhook },
      `webhook_silent:${facts.webhook_at ?? 'never'}`,
    );
  }
}

/** Alerts the admin when builds fail: once for all failures since the last build that went live. */
export async function alertOfBuild({
  state,
  startedAt,
  publishedAt,
  reason,
}: PublishState['build']): Promise<void> {
  if (state !== 'late' && state !== 'failed') return;
  const payload = {
    since: startedAt ?? publishedAt ?? undefined,
    reason: reason ?? undefined,
    kind: state,
  };
  await notifyAdmin('build_silent', payload, `build_silent:${publishedAt ?? 'never'}`);
}

/** Alerts the admin once a month, when most of its deploys are used. */
export async function alertOfDeploys({ deploys }: PublishState): Promise<void> {
  if (deploys === null || !isBudgetLow(deploys)) return;
  const month = isoDateInIndia(new Date().toISOString()).slice(0, 7);
  await notifyAdmin('deploys_used', deploys, `deploys_used:${month}`);
}
