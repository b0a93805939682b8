import * as z from 'zod/mini';
import type { DeployBuildingEvent } from '@netlify/functions';
import { callFunction } from '../platform/database.ts';
import { logLine } from '../platform/log.ts';
import { withinLimits } from '../platform/rate-limit.ts';

/** Far more than a shop deploys. Beyond it nothing is lost: the live site tells whether a build is live. */
const limit = { bucket: 'deploy-events', hits: 60, seconds: 3_600 } as const;

type DeployState = 'building' | 'published' | 'failed';

/** Escape codes of a terminal, and everything else that is no text. */
const unprintable =
  /\u001b\[[0-9;]*m|[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/gu;

/** Why a build failed as one paragraph for the admin. */
function failureMessage(message: string | null): string {
  const text = (message ?? '')
    .replaceAll(unprintable, '')
    .replaceAll(/\s+/gu, ' ')
    .replace(/^\s*(?:\[ERROR\]\s*)?(?:Error:\s*)?/u, '')
    .trim();
  return text === '' ? 'The build ended with an error and did not say why.' : text.slice(0, 400);
}

/**
 * Writes down what the platform tells of a deploy. Previews and branches are not the shop's. An event carries no proof of
 * who sent it, so a forged one is bounded: only what has the form of an id is taken, so many events an hour, and neither
 * whether a build is live nor whether the next one is asked for depends on it (`request_build`).
 */
export async function recordDeploy(
  { deploy }: DeployBuildingEvent,
  state: DeployState,
): Promise<void> {
  const id = /^[\w-]{1,100}$/u.exec(deploy.id)?.[0];
  if (deploy.context !== 'production' || id === undefined || !(await withinLimits([limit]))) return;
  const args = {
    p_deploy_id: id,
    p_state: state,
    p_reason: state === 'failed' ? failureMessage(deploy.errorMessage) : null,
  };
  await callFunction('record_deploy', args, z.unknown());
  logLine({ task: 'deploy', deploy: id, state });
}
