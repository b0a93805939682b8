import type { Handler } from '../http/handler.ts';
import type { NetlifyRuntime } from './netlify.ts';
import { findOlderAsset } from './older-assets.ts';
import { asStatic } from './static-answer.ts';

/**
 * The built site and the functions, as Netlify serves them; `404.html` for addresses that nothing answers.
 * `buildsDir` holds the last builds, one folder each.
 */
export function serveBuiltSite(netlify: NetlifyRuntime, buildsDir: string): Handler {
  return async (request) => {
    const answer = await netlify.handle(request);
    if (answer?.type === 'static' || answer?.type === 'redirect') return asStatic(request, answer.response);
    if (answer) return answer.response;
    const older = await findOlderAsset(new URL(request.url).pathname, buildsDir);
    if (older) return asStatic(request, older);
    // Asked for by its own address, so that it carries the headers of netlify.toml.
    const missing = await netlify.handle(new Request(new URL('/404.html', request.url)));
    return new Response(missing?.response.body ?? 'Not found', { status: 404, headers: missing?.response.headers ?? {} });
  };
}
