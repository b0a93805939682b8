import type { Context } from '@netlify/functions';
import { callFunction } from '../platform/database.ts';
import { ConfigurationError, mailEnv } from '../platform/env.ts';
import { getPaymentProvider } from '../payments/payment-provider.ts';
import { PaymentProviderError } from '../payments/payment-provider-error.ts';
import { version } from '../platform/version.ts';
import { readPublishState } from '../publishing/publish.ts';
import {
  factsSchema,
  type HealthCheck,
  type HealthFacts,
  type HealthReport,
} from './health-report.ts';

/** The sweep runs every five minutes; three missed runs are a fault. */
const sweepSilentMs = 17 * 60_000;
/** Old data is deleted every 20 hours; two missed runs are a fault. */
const forgetSilentMs = 50 * 3_600_000;
/** One network alone may report what is not so. */
const refusedSignUpNetworks = 3;
/** Cache time (ms) of the report, so that frequent requests do not reach the services. */
const keptMs = 10_000;

const pass = (facts: Omit<HealthCheck, 'ok' | 'reason'> = {}): HealthCheck => ({
  ok: true,
  ...facts,
});
const fail = (reason: string, facts: Omit<HealthCheck, 'ok' | 'reason'> = {}): HealthCheck => ({
  ok: false,
  reason,
  ...facts,
});

/** The health facts in the database. Throws HttpError 503 when it cannot be reached. */
export const readFacts = async (): Promise<HealthFacts> =>
  callFunction('shop_health', {}, factsSchema);

/** The last run of a task, or since when its first one is expected, when that is more than `maxMs` ago; else null. */
function silentSince(at: string | null, expected: string | null, maxMs: number): string | null {
  const last = at ?? expected;
  return last !== null && Date.now() - Date.parse(last) > maxMs ? last : null;
}

/** Since when the sweep is silent; null while it runs. Before the first one it is expected since the migrations. */
export const sweepSilentSince = (facts: HealthFacts): string | null =>
  silentSince(facts.sweep_at, facts.sweep_expected_since, sweepSilentMs);

function heartbeatCheck(lastAt: string | null, silent: string | null): HealthCheck {
  return silent === null ? pass({ lastAt }) : fail('silent', { lastAt, since: silent });
}

/** A cheap request to the provider: the payments of the last minute. */
async function askProvider(context: Context): Promise<HealthCheck> {
  try {
    const now = Math.floor(Date.now() / 1000);
    await getPaymentProvider({ context }).listPayments({ from: now - 60, to: now, skip: 0 });
    return pass();
  } catch (error) {
    if (error instanceof ConfigurationError) return fail('not_configured');
    if (!(error instanceof PaymentProviderError)) throw error;
    return fail(error.status === 401 ? 'keys_refused' : error.kind);
  }
}

async function askBuild(request: Request): Promise<HealthCheck> {
  const { build, count, configured } = await readPublishState(request);
  const facts = { state: build.state, lastAt: build.publishedAt, waiting: count };
  if (!configured) return pass(facts);
  return build.state === 'late' || build.state === 'failed'
    ? fail(build.state, facts)
    : pass(facts);
}

function mailCheck({
  outbox_waiting: waiting,
  outbox_given_up: givenUp,
  outbox_stuck_since: since,
}: HealthFacts): HealthCheck {
  const facts = { waiting, givenUp };
  try {
    mailEnv();
  } catch {
    return fail('not_configured', facts);
  }
  return since === null ? pass(facts) : fail('nothing_goes_out', { ...facts, since });
}

function factChecks(
  facts: HealthFacts,
): Pick<HealthReport['checks'], 'mail' | 'signUp' | 'sweep' | 'forget' | 'webhook'> {
  const missing = facts.webhook_missing_since;
  const refused = facts.sign_ups_refused;
  return {
    mail: mailCheck(facts),
    signUp: refused < refusedSignUpNetworks ? pass({ refused }) : fail('no_mail', { refused }),
    sweep: heartbeatCheck(facts.sweep_at, sweepSilentSince(facts)),
    forget: heartbeatCheck(
      facts.forget_at,
      silentSince(facts.forget_at, facts.forget_expected_since, forgetSilentMs),
    ),
    // Without the time of the last event, which would reveal the shop's sales.
    webhook: missing === null ? pass() : fail('silent', { since: missing }),
  };
}

/** The result of a check. A database outage only affects the checks that need it. */
async function attempt(check: () => Promise<HealthCheck>): Promise<HealthCheck> {
  try {
    return await check();
  } catch {
    return fail('unreachable');
  }
}

async function look(request: Request, context: Context): Promise<HealthReport> {
  const [facts, provider, build] = await Promise.all([
    readFacts().catch(() => null),
    attempt(async () => askProvider(context)),
    attempt(async () => askBuild(request)),
  ]);
  const unknown = fail('database_unreachable');
  const checks: HealthReport['checks'] = {
    database: facts === null ? fail('unreachable') : pass(),
    provider,
    ...(facts === null
      ? { mail: unknown, signUp: unknown, sweep: unknown, forget: unknown, webhook: unknown }
      : factChecks(facts)),
    build: facts === null ? unknown : build,
  };
  const status = Object.values(checks).every(({ ok }) => ok) ? 'pass' : 'fail';
  return { status, version, at: new Date().toISOString(), checks };
}

let kept: { report: Promise<HealthReport>; until: number } | undefined;

/** The health report, cached for ten seconds in each instance of the function. Never throws. */
export async function readHealth(request: Request, context: Context): Promise<HealthReport> {
  if (!kept || Date.now() > kept.until)
    kept = { report: look(request, context), until: Date.now() + keptMs };
  return kept.report;
}

/** Clears the cached report, for callers who changed something. */
export function forgetHealth(): void {
  kept = undefined;
}
