import type { DeploySucceededEvent } from '@netlify/functions';
import type { BuildEvent } from './publisher.ts';
import type { Functions } from '#local/emulators/netlify/functions/functions.ts';

const eventNames = {
  building: 'deployBuilding',
  succeeded: 'deploySucceeded',
  failed: 'deployFailed',
} as const;
const states = { building: 'building', succeeded: 'ready', failed: 'error' } as const;

/** Sends each build to the functions in order, as Netlify sends its deploy events. */
export function emitDeployEvents(
  functions: Functions,
  origin: string,
): (event: BuildEvent) => void {
  let queue = Promise.resolve();
  return ({ build, phase, error }) => {
    queue = queue.then(async () =>
      functions.emit(eventNames[phase], toDeployEvent(origin, build, phase, error)),
    );
  };
}

function toDeployEvent(
  origin: string,
  id: string,
  phase: BuildEvent['phase'],
  error: string | null,
): DeploySucceededEvent {
  const now = new Date().toISOString();
  const adminUrl = `${origin}/local`;
  return {
    site: { id: 'embedded', name: 'embedded', url: origin, adminUrl },
    deploy: {
      id,
      siteId: 'embedded',
      buildId: id,
      state: states[phase],
      errorMessage: error,
      context: 'production',
      branch: 'main',
      url: origin,
      sslUrl: origin,
      permalinkUrl: origin,
      adminUrl,
      createdAt: now,
      publishedAt: phase === 'succeeded' ? now : null,
      commitRef: null,
      commitUrl: null,
      commitMessage: null,
      committer: null,
      title: null,
      time: null,
      manual: false,
      framework: 'astro',
    },
  };
}
