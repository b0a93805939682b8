import { publishStateSchema, type PublishState } from '../../domain/admin/publish.ts';
import { adminGet, adminSend } from './api.ts';

const path = '/api/admin/publish';

/** How far the built pages are behind the catalogue. Throws AdminError. */
export async function fetchPublishState(signal?: AbortSignal): Promise<PublishState> {
  return adminGet(path, publishStateSchema, signal);
}

/** Asks for a build: now, or (`auto`) when changes wait and none is under way. Throws AdminError. */
export async function requestBuild(auto: boolean): Promise<PublishState> {
  return adminSend('POST', path, auto ? { auto: true } : {}, publishStateSchema);
}

/** The same as the page is left: the browser sends it on its own, nobody hears the answer. */
export function askForBuildOnLeaving(): void {
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auto: true }),
    keepalive: true,
  }).catch(() => undefined);
}
