import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { Handler } from '#local/emulators/http/handler.ts';
import { warn } from '#local/shared/log.ts';
import { projectRoot } from '#local/shared/settings.ts';
import { createContext } from './function-context.ts';

type EdgeHandler = (
  request: Request,
  context: unknown,
) => Promise<Response | undefined> | Response | undefined;

const patterns = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .transform((paths) =>
    paths.map((pathname) => new URLPattern({ pathname }, { ignoreCase: true })),
  );
const edgeFunctionSchema = z.object({
  default: z.custom<EdgeHandler>((value) => typeof value === 'function'),
  config: z.strictObject({
    path: patterns,
    excludedPath: patterns.default([]),
    method: z.array(z.string()).default([]),
    onError: z.string().default('fail'),
  }),
});
export type EdgeFunction = z.infer<typeof edgeFunctionSchema> & { name: string };

const folder = join(projectRoot, 'netlify/edge-functions');

/** Imports every file of netlify/edge-functions. Throws when one is no edge function. */
export async function loadEdgeFunctions(): Promise<EdgeFunction[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts')).sort();
  return Promise.all(
    files.map(async (name) => {
      const module: unknown = await import(pathToFileURL(join(folder, name)).href);
      return { name, ...edgeFunctionSchema.parse(module) };
    }),
  );
}

/**
 * Puts edge functions in front of the site, as Netlify's CDN does: one that returns nothing lets the request pass, and
 * one that fails does so too when its `onError` is 'bypass'.
 */
export function withEdgeFunctions(
  functions: () => readonly EdgeFunction[],
  site: Handler,
): Handler {
  const fetchSite = async (request: Request): Promise<Response> =>
    (await site(request)) ?? new Response('Not found', { status: 404 });
  return async (request) => {
    const { pathname } = new URL(request.url);
    for (const { name, default: handler, config } of functions()) {
      const applies =
        (config.method.length === 0 || config.method.includes(request.method)) &&
        config.path.some((pattern) => pattern.test({ pathname })) &&
        !config.excludedPath.some((pattern) => pattern.test({ pathname }));
      if (!applies) continue;
      const { context, withCookies } = createContext({
        request,
        params: {},
        fetchStatic: fetchSite,
        waitUntil: () => undefined,
      });
      try {
        const response = await handler(request, context);
        if (response) return withCookies(response);
      } catch (error) {
        warn(`The edge function ${name} failed`, error);
        if (config.onError !== 'bypass')
          return new Response('This edge function has crashed', { status: 500 });
      }
    }
    return site(request);
  };
}
