import { join } from 'node:path';
import { parseAllHeaders } from '@netlify/headers-parser';
import { RedirectsHandler } from '@netlify/redirects';
import * as z from 'zod';
import { categoryRedirects } from '#integrations/category-redirects.ts';
import { projectRoot } from '#local/shared/settings.ts';

const configPath = join(projectRoot, 'netlify.toml');
const headerRulesSchema = z.array(
  z.object({
    forRegExp: z.instanceof(RegExp),
    values: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  }),
);

/** The part of netlify.toml that serves the site. */
export interface NetlifyConfig {
  redirects: RedirectsHandler;
  /** The response with the headers that its address gets. */
  withHeaders: (pathname: string, response: Response) => Response;
}

/** Reads netlify.toml with Netlify's own parsers, and adds what a build writes into `_redirects`. Throws an Error with what they complain about. */
export async function readNetlifyConfig(): Promise<NetlifyConfig> {
  const { headers, errors } = await parseAllHeaders({
    headersFiles: [],
    netlifyConfigPath: configPath,
    configHeaders: [],
    minimal: false,
  });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  const rules = headerRulesSchema.parse(headers);
  return {
    redirects: new RedirectsHandler({
      configPath,
      configRedirects: categoryRedirects,
      jwtRoleClaim: '',
      jwtSecret: '',
      notFoundHandler: async () => Promise.resolve(new Response('Not found', { status: 404 })),
      projectDir: projectRoot,
    }),
    withHeaders(pathname, response) {
      for (const { forRegExp, values } of rules) {
        if (!forRegExp.test(pathname)) continue;
        for (const [name, value] of Object.entries(values))
          response.headers.set(name, [value].flat().join(', '));
      }
      return response;
    },
  };
}
