import { json, type Handler } from '../http/handler.ts';
import type { Publisher } from '../site/publisher.ts';

/** The build hook: POST asks for a new build, GET says how the last one went. */
export function buildHook(publisher: Publisher): Handler {
  return (request) => {
    if (new URL(request.url).pathname !== '/local/build-hook') return undefined;
    if (request.method === 'POST') publisher.requestPublish();
    else if (request.method !== 'GET') return undefined;
    return json(publisher.state());
  };
}
