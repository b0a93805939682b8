import * as z from 'zod/mini';
import type { PublishState } from '#domain/admin/publish.ts';
import { deploysPerMonth } from '#settings/publishing.ts';
import { callFunction, database, readRows } from '#core/platform/database.ts';
import { buildHookEnv } from '#core/platform/env.ts';
import { logLine } from '#core/platform/log.ts';
import { readDeployedBuild, type DeployedBuild } from './deployed-version.ts';

const lateAfterMs = 15 * 60_000;
const shownChanges = 50;

/** Arguments of `request_build` and `deploy_budget`: when automatic builds come, whether or not the admin page is open. */
const buildPlan = (): { p_quiet_seconds: number; p_deploys_per_month: number | null } =>
  buildHookEnv().BUILDS_ARE_FREE === undefined
    ? { p_quiet_seconds: 600, p_deploys_per_month: deploysPerMonth }
    : { p_quiet_seconds: 30, p_deploys_per_month: null };

const time = z.pipe(
  z.string(),
  z.transform((text) => new Date(text).toISOString()),
);

const changesSchema = z.object({
  version: z.int(),
  count: z.int(),
  to_build: z.int(),
  changes: z.array(
    z.object({
      productId: z.string(),
      name: z.string(),
      kind: z.enum(['added', 'changed', 'hidden', 'deleted']),
      at: time,
      needsBuild: z.boolean(),
    }),
  ),
});

const budgetSchema = z.object({ used: z.int(), next_at: z.nullable(time) });

const buildSchema = z.object({
  state: z.enum(['requested', 'building', 'published', 'failed']),
  requested_at: time,
  started_at: z.nullable(time),
  finished_at: z.nullable(time),
  reason: z.nullable(z.string()),
});
type Build = z.infer<typeof buildSchema>;

/*
 * The live site decides: when it was built after a build was requested, or after one failed, then that is
 * over, whether or not the platform reported it.
 */
function buildState(
  last: Build | undefined,
  live: DeployedBuild | null,
  now: number,
): PublishState['build']['state'] {
  const without = live === null ? 'none' : 'published';
  if (!last || last.state === 'published') return last ? 'published' : without;
  const since =
    last.state === 'failed' ? (last.finished_at ?? last.requested_at) : last.requested_at;
  if (live !== null && Date.parse(live.builtAt) > Date.parse(since)) return 'published';
  if (last.state === 'failed') return 'failed';
  return now - Date.parse(last.started_at ?? last.requested_at) > lateAfterMs ? 'late' : 'building';
}

async function readLastBuild(): Promise<Build | undefined> {
  const columns = 'state,requested_at,started_at,finished_at,reason';
  const builds = database()
    .from('builds')
    .select(columns)
    .order('id', { ascending: false })
    .limit(1);
  return (await readRows('last build', builds, z.array(buildSchema)))[0];
}

/** The state of the last build alone. Asks the live site only when the platform has not reported that the build is live. */
export async function readBuildState(request: Request): Promise<PublishState['build']['state']> {
  const last = await readLastBuild();
  if (last?.state === 'published') return last.state;
  return buildState(last, await readDeployedBuild(request), Date.now());
}

/** The unpublished changes and the last build. */
export async function readPublishState(
  request: Request,
): Promise<PublishState & { toBuild: number }> {
  const live = await readDeployedBuild(request);
  const visible = database()
    .from('products')
    .select('id')
    .eq('hidden', false)
    .is('deleted_at', null)
    .limit(1);
  const plan = buildPlan();
  const { p_deploys_per_month: perMonth } = plan;
  const [budget, { changes, count, to_build: toBuild }, last, products] = await Promise.all([
    callFunction(
      'deploy_budget',
      { p_deployed_version: live?.version ?? 0, ...plan },
      z.nullable(budgetSchema),
    ),
    callFunction(
      'unpublished_changes',
      { p_after_version: live?.version ?? 0, p_limit: shownChanges },
      changesSchema,
    ),
    readLastBuild(),
    readRows('visible products', visible, z.array(z.unknown())),
  ]);
  const state = buildState(last, live, Date.now());
  return {
    changes,
    count,
    toBuild,
    nextAt: budget?.next_at ?? null,
    deploys: budget === null || perMonth === null ? null : { used: budget.used, perMonth },
    build: {
      state,
      startedAt: last ? (last.started_at ?? last.requested_at) : null,
      publishedAt: live?.builtAt ?? null,
      reason: state === 'failed' ? (last?.reason ?? null) : null,
    },
    empty: products.length === 0,
    configured: buildHookEnv().BUILD_HOOK_URL !== undefined,
  };
}

async function callHook(hook: string): Promise<string | null> {
  try {
    const answer = await fetch(hook, {
      method: 'POST',
      body: '{}',
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    });
    await answer.body?.cancel();
    return answer.ok ? null : `it answered ${String(answer.status)}`;
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError'
      ? 'it did not answer'
      : 'it cannot be reached';
  }
}

/**
 * Requests a build: for the admin whenever it would change something, for 'auto' when one is due (`request_build`). True when one was
 * requested. A hook that fails is recorded as a failed build.
 */
export async function requestBuild(request: Request, by: 'admin' | 'auto'): Promise<boolean> {
  const { BUILD_HOOK_URL: hook } = buildHookEnv();
  if (hook === undefined) return false;
  const live = await readDeployedBuild(request);
  // Without knowing what is live, automatic builds would repeat endlessly.
  if (live === null && by === 'auto') return false;
  const plan = buildPlan();
  const args = { p_requested_by: by, p_deployed_version: live?.version ?? 0 };
  const id = await callFunction('request_build', { ...args, ...plan }, z.nullable(z.int()));
  if (id === null) return false;
  const fault = await callHook(hook);
  if (fault !== null) {
    logLine({ task: 'publish', build: id, error: fault });
    await callFunction(
      'fail_build',
      { p_id: id, p_reason: `The build could not be requested: ${fault}.` },
      z.unknown(),
    );
  }
  return fault === null;
}
