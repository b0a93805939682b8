import type { Context } from '@netlify/functions';
import { callFunction, callNewFunction } from '#core/platform/database.ts';
import { buildHookEnv, ConfigurationError, mailEnv } from '#core/platform/env.ts';
import { getPaymentProvider } from '#core/payments/payment-provider.ts';
import { PaymentProviderError } from '#core/payments/payment-provider-error.ts';
import { version } from '#core/platform/version.ts';
import { readBuildState } from '#core/publishing/publish.ts';
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
/** Networks that report refused sign-ups before it is a warning. Strangers can report what is not so, so it is no failure. */
const refusedSignUpNetworks = 3;
/** Cache time (ms) of the report, so that frequent requests do not reach the services. */
const keptMs = 10_000;

const pass: HealthCheck = { ok: true };
const fail = (reason: string): HealthCheck => ({ ok: false, reason });

/** The health facts in the database. Throws HttpError 503 when it cannot be reached. */
export const readFacts = async (): Promise<HealthFacts> =>
  callFunction('shop_health', {}, factsSchema);

/**
 * The same facts, after a write that changes nothing. `writes` is false when the database answers and takes no write: it is read-only or
 * full. `facts` is null when it does not answer.
 */
async function readCheckedFacts(): Promise<{ facts: HealthFacts | null; writes: boolean }> {
  try {
    const facts = await callNewFunction(
      'check_health',
      {},
      factsSchema,
      'of release 1.3.2',
      readFacts,
    );
    return { facts, writes: true };
  } catch {
    return { facts: await readFacts().catch(() => null), writes: false };
  }
}

/** The last run of a task, or since when its first one is expected, when that is more than `maxMs` ago; else null. */
function silentSince(at: string | null, expected: string | null, maxMs: number): string | null {
  const last = at ?? expected;
  return last !== null && Date.now() - Date.parse(last) > maxMs ? last : null;
}

/** Since when the sweep is silent; null while it runs. Before the first one it is expected since the migrations. */
export const sweepSilentSince = (facts: HealthFacts): string | null =>
  silentSince(facts.sweep_at, facts.sweep_expected_since, sweepSilentMs);

const heartbeatCheck = (silent: string | null): HealthCheck =>
  silent === null ? pass : fail('silent');

/** A cheap request to the provider: the payments of the last minute. */
async function askProvider(context: Context): Promise<HealthCheck> {
  try {
    const now = Math.floor(Date.now() / 1000);
    await getPaymentProvider({ context }).listPayments({ from: now - 60, to: now, skip: 0 });
    return pass;
  } catch (error) {
    if (error instanceof ConfigurationError) return fail('not_configured');
    if (!(error instanceof PaymentProviderError)) throw error;
    return fail(error.status === 401 ? 'keys_refused' : error.kind);
  }
}

async function askBuild(request: Request): Promise<HealthCheck> {
  const state = await readBuildState(request);
  const isConfigured = buildHookEnv().BUILD_HOOK_URL !== undefined;
  return isConfigured && (state === 'late' || state === 'failed')
    ? { ...fail(state), state }
    : { ...pass, state };
}

function mailCheck(facts: HealthFacts): HealthCheck {
  try {
    mailEnv();
  } catch {
    return fail('not_configured');
  }
  if (facts.mail_refused_since !== null && facts.mail_refused_by !== 'connection')
    return fail('refused');
  const isStuck = facts.mail_refused_since !== null || facts.outbox_stuck_since !== null;
  return isStuck ? fail('nothing_goes_out') : pass;
}

function signUpCheck(facts: HealthFacts): HealthCheck {
  if (facts.mails_used_up) return fail('mails_used_up');
  return facts.sign_ups_refused < refusedSignUpNetworks ? pass : { ...pass, reason: 'no_mail' };
}

const factChecks = (
  facts: HealthFacts,
): Pick<HealthReport['checks'], 'mail' | 'signUp' | 'sweep' | 'forget' | 'webhook'> => ({
  mail: mailCheck(facts),
  signUp: signUpCheck(facts),
  sweep: heartbeatCheck(sweepSilentSince(facts)),
  forget: heartbeatCheck(silentSince(facts.forget_at, facts.forget_expected_since, forgetSilentMs)),
  webhook: facts.webhook_missing_since === null ? pass : fail('silent'),
});

function databaseCheck(answers: boolean, writes: boolean): HealthCheck {
  if (!answers) return fail('unreachable');
  return writes ? pass : fail('takes_no_writes');
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
  const [{ facts, writes }, provider, build] = await Promise.all([
    readCheckedFacts(),
    attempt(async () => askProvider(context)),
    attempt(async () => askBuild(request)),
  ]);
  const unknown = fail('database_unreachable');
  const checks: HealthReport['checks'] = {
    database: databaseCheck(facts !== null, writes),
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
