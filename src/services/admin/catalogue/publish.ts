import { publishStateSchema, type PublishState } from '../../../domain/admin/publish.ts';
import { adminGet, adminSend } from '../api.ts';

const path = '/api/admin/publish';

/** How far the built pages are behind the catalogue. Throws AdminError. */
export async function fetchPublishState(signal?: AbortSignal): Promise<PublishState> {
  return adminGet(path, publishStateSchema, signal);
}

/** Requests a build: now, or (`auto`) if the server finds that one is due. Throws AdminError. */
export async function requestBuild(auto: boolean): Promise<PublishState> {
  return adminSend('POST', path, auto ? { auto: true } : {}, publishStateSchema);
}
