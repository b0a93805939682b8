import * as z from 'zod/mini';
import type { DeployBuildingEvent } from '@netlify/functions';
import { callFunction } from '#core/platform/database.ts';
import { logLine } from '#core/platform/log.ts';
import { countCost } from '#core/platform/costs.ts';
import { writeShopSettings } from './shop-settings.ts';

type DeployState = 'building' | 'published' | 'failed';

/**
 * How Netlify calls a push that `ignore` of netlify.toml stopped: it reports a failed deploy, and undocumented is that it costs nothing
 * (answers.netlify.com/t/17757 "Deploy skipped", and /t/79345, read on 28 November 2026).
 */
const skipped = /no content change/iu;

/**
 * Why a build failed, as the admin page and the mail show it. Nothing of the event's own text is stored, so that a mail never
 * carries a stranger's words.
 */
export const buildFailedReason =
  'Netlify has the log of this build: open https://app.netlify.com and choose Deploys.';

/**
 * Records the platform's deploy events. Ignores previews and branches. An event carries no proof of its sender: the platform's library
 * (`@netlify/coreless-functions-api` 2.18.0) looks at its shape alone. So a forged one is bounded: only ids are stored, the rate is
 * limited, whether a build is live is read from the site, and reports delay a change by 15 minutes and take two thirds of the month's
 * budget at most (SQL `next_build_at`, `budget_allows_at`).
 */
export async function recordDeploy(
  { deploy }: DeployBuildingEvent,
  state: DeployState,
): Promise<void> {
  const id = /^[\w-]{1,100}$/u.exec(deploy.id)?.[0];
  if (deploy.context !== 'production' || id === undefined) return;
  // Dropped events do no harm: the live site shows whether a build is live.
  if (!(await countCost('deploy_report'))) return;
  const args = {
    p_deploy_id: id,
    p_state: state === 'failed' && skipped.test(deploy.errorMessage ?? '') ? 'skipped' : state,
    p_reason: state === 'failed' ? buildFailedReason : null,
  };
  // Safe for a forged event: the settings come from this deploy, not from the event.
  if (state === 'published') await writeShopSettings();
  await callFunction('record_deploy', args, z.unknown());
  logLine({ task: 'deploy', deploy: id, state: args.p_state });
}
