import { readdir } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from '@netlify/functions';
import * as z from 'zod';
import { projectRoot } from '#local/shared/settings.ts';

export type FunctionHandler = (request: Request, context: Context) => unknown;
export type EventHandler = (event: unknown) => unknown;

/** A function of netlify/functions as the platform knows it: its code and its `config`. */
export interface LoadedFunction {
  name: string;
  fetch: FunctionHandler | null;
  /** Handlers of platform events, e.g. `deploySucceeded`. */
  events: Readonly<Record<string, EventHandler>>;
  /** Cron expression in UTC. */
  schedule: string | null;
  /**
   * Empty for a function that the platform alone calls, by its schedule or its events: it has no address here. Whether
   * Netlify refuses `/.netlify/functions/<name>` from outside is not documented for each kind, so these guard themselves.
   */
  paths: readonly URLPattern[];
  excludedPaths: readonly URLPattern[];
  /** The methods; none for every method. */
  methods: readonly string[];
  preferStatic: boolean;
}

type Handlers = Readonly<Record<string, FunctionHandler & EventHandler>>;
const isFunction = (value: unknown): boolean => typeof value === 'function';
const oneOrMore = z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([]);

const configSchema = z.strictObject({
  path: oneOrMore,
  excludedPath: oneOrMore,
  method: oneOrMore,
  preferStatic: z.boolean().default(false),
  schedule: z.string().nullable().default(null),
});
const moduleSchema = z.object({
  default: z
    .custom<FunctionHandler>(isFunction)
    .or(z.record(z.string(), z.custom<Handlers[string]>(isFunction))),
  config: configSchema.default(configSchema.parse({})),
});

const folder = join(projectRoot, 'netlify/functions');

/** The files of the functions, in `folder`. */
export const functionFiles = async (): Promise<string[]> => (await readdir(folder)).sort();

/** Imports every function. Throws an Error that names the file which is no function. */
export async function loadFunctions(): Promise<LoadedFunction[]> {
  const files = await functionFiles();
  return Promise.all(files.map(async (file) => loadFunction(join(folder, file))));
}

/** Imports one function's source file. Throws an Error that names it when it is none. */
async function loadFunction(path: string): Promise<LoadedFunction> {
  const { name } = parse(path);
  const parsed = moduleSchema.safeParse(await import(pathToFileURL(path).href));
  if (!parsed.success)
    throw new Error(`${path} is no function of the platform: ${z.prettifyError(parsed.error)}`);
  const { default: code, config } = parsed.data;
  const events: Handlers = typeof code === 'function' ? {} : code;
  return {
    name,
    fetch: typeof code === 'function' ? code : (events['fetch'] ?? null),
    events,
    schedule: config.schedule,
    paths: toPatterns(config.path),
    excludedPaths: toPatterns(config.excludedPath),
    methods: config.method,
    preferStatic: config.preferStatic,
  };
}

/** The platform's patterns are those of URLPattern, without regard to upper and lower case. */
const toPatterns = (paths: readonly string[]): URLPattern[] =>
  paths.map((pathname) => new URLPattern({ pathname }, { ignoreCase: true }));

/** The path's parameters when the function answers this request; null when it does not. */
export function matchFunction(
  one: LoadedFunction,
  method: string,
  pathname: string,
): Record<string, string> | null {
  if (one.methods.length > 0 && !one.methods.includes(method)) return null;
  const at = { pathname: pathname.length > 1 ? pathname.replace(/\/$/u, '') : pathname };
  if (one.excludedPaths.some((pattern) => pattern.test(at))) return null;
  for (const pattern of one.paths) {
    const found = pattern.exec(at);
    if (found)
      return Object.fromEntries(
        Object.entries(found.pathname.groups).map(([name, value]) => [name, value ?? '']),
      );
  }
  return null;
}
