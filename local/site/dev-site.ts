import { join } from 'node:path';
import { RedirectsHandler } from '@netlify/redirects';
import type { Handler } from '../http/handler.ts';
import { projectRoot } from '../stack/settings.ts';
import type { DevServer } from './dev-server.ts';
import type { NetlifyRuntime } from './netlify.ts';

/** Pages from Astro's dev server, functions and redirects as on Netlify. Order as there: functions, redirects, pages. */
export function serveDevSite(netlify: NetlifyRuntime, pages: DevServer): Handler {
  const redirects = new RedirectsHandler({
    configPath: join(projectRoot, 'netlify.toml'),
    configRedirects: [],
    jwtRoleClaim: '',
    jwtSecret: '',
    notFoundHandler: async () => Promise.resolve(new Response('Not found', { status: 404 })),
    projectDir: projectRoot,
  });
  return async (request) => {
    const answer = await netlify.handle(request, async (page) => {
      const found = await pages.fetch(page);
      return found.status === 404 ? undefined : found;
    });
    if (answer) return answer.response;
    const rule = await redirects.match(request);
    // A rewrite: another page answers at this address. (Real redirects were answered above.)
    const rewritten = rule?.statusCode === 200 && !rule.external && rule.force;
    return pages.fetch(rewritten ? new Request(rule.target, request) : request);
  };
}
