import type { Functions } from '#local/emulators/netlify/functions/functions.ts';
import type { Handler } from '#local/emulators/http/handler.ts';
import type { NetlifyConfig } from './netlify-config.ts';
import { isRead, methodNotAllowed, type FindFile } from './static-files.ts';

export interface SiteParts {
  functions: Functions;
  config: NetlifyConfig;
  findFile: FindFile;
  /** The page for an address that nothing serves. */
  notFound: (request: Request) => Promise<Response>;
}

/**
 * The site in Netlify's order: functions (behind a static file where their config has `preferStatic`), redirects and rewrites, static
 * files, and the 404 page for what nothing serves.
 */
export function serveSite({
  functions,
  config: { redirects },
  findFile,
  notFound,
}: SiteParts): Handler {
  return async (request) => {
    const match = functions.match(request);
    if (match) {
      const file = match.preferStatic ? await findFile(asGet(request)) : null;
      if (file === null) return match.call();
      return isRead(request) ? file : methodNotAllowed();
    }
    const rule = await redirects.match(request);
    if (rule) {
      const response = await redirects.handle(request, rule, async (target) => {
        const file = await findFile(target);
        return file ? async () => Promise.resolve(file) : undefined;
      });
      if (response) return response;
    }
    return (await findFile(request)) ?? notFound(request);
  };
}

/** Whether a file exists does not depend on the method. */
const asGet = (request: Request): Request =>
  isRead(request) ? request : new Request(request.url, { headers: request.headers });
