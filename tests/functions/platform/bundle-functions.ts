import { fork } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { zipFunctions, type FunctionResult } from '@netlify/zip-it-and-ship-it';
import { parse } from 'smol-toml';
import * as z from 'zod';
import type { Invocation, InvocationResult } from './lambda-process.ts';

export const projectRoot = resolve(import.meta.dirname, '../../..');

const functionsSchema = z.strictObject({
  directory: z.string(),
  node_bundler: z.literal('esbuild'),
  external_node_modules: z.array(z.string()),
  included_files: z.array(z.string()).default([]),
});

/** The section `[functions]` of netlify.toml, the only settings that a deploy reads for them. Throws on a key it does not know. */
async function readFunctionsSettings(): Promise<z.infer<typeof functionsSchema>> {
  const toml = await readFile(join(projectRoot, 'netlify.toml'), 'utf8');
  return z.object({ functions: functionsSchema }).parse(parse(toml)).functions;
}

export interface FunctionBundle {
  name: string;
  /** Absolute path of the file that the platform starts. */
  entry: string;
  /** Events of the platform that it is called for, in place of a request. */
  events: string[];
  /** Its addresses as a deploy announces them to the platform. */
  routes: { pattern: string; fits: (address: string) => boolean }[];
  /** Sources that went into it, relative to the project, with `/`. */
  inputs: string[];
  /** All files together, unpacked. */
  bytes: number;
}

/** Bundles all functions into a folder with the bundler and the settings of a deploy. Throws when one cannot be bundled. */
export async function bundleFunctions(outDir: string): Promise<FunctionBundle[]> {
  const settings = await readFunctionsSettings();
  const results = await zipFunctions(join(projectRoot, settings.directory), outDir, {
    archiveFormat: 'none',
    basePath: projectRoot,
    // One at a time they share what was learned of a package; side by side each function reads it again (14 s of CPU, or 25).
    parallelLimit: 1,
    config: {
      '*': {
        // `@netlify/build` gives the bundler these names.
        nodeBundler: 'esbuild_zisi',
        externalNodeModules: settings.external_node_modules,
        // sharp looks at /proc/self/exe, and the bundler follows it: to Netlify's own Node outside the repository, but
        // to the package `node` when an npm script started this.
        includedFiles: [...settings.included_files, '!node_modules/node/**'],
        includedFilesBasePath: projectRoot,
      },
    },
  });
  return Promise.all(results.map(readBundle));
}

type Route = NonNullable<FunctionResult['routes']>[number];

const fits = (
  route: Pick<Route, 'pattern'> & ({ expression: string } | { literal: string }),
  address: string,
): boolean =>
  ('expression' in route
    ? new RegExp(route.expression, 'u')
    : new RegExp(`^${RegExp.escape(route.literal)}/?$`, 'u')
  ).test(address);

async function readBundle({
  name,
  path,
  entryFilename,
  inputs,
  eventSubscriptions,
  routes,
  excludedRoutes,
}: FunctionResult): Promise<FunctionBundle> {
  return {
    name,
    entry: join(path, entryFilename),
    events: eventSubscriptions ?? [],
    routes: (routes ?? []).map((route) => ({
      pattern: route.pattern,
      fits: (address) =>
        fits(route, address) && !(excludedRoutes ?? []).some((one) => fits(one, address)),
    })),
    inputs: (inputs ?? []).map((input) => relative(projectRoot, input).replaceAll(sep, '/')),
    bytes: await folderBytes(path),
  };
}

async function folderBytes(dir: string): Promise<number> {
  const files = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Calls functions one after the other in a process of their own, with no variables but these and with `cwd` away from
 * the project, so that a bundle has nothing but itself. The list is short when the process ended early.
 */
export async function invokeBundles(
  invocations: Invocation[],
  cwd: string,
  env: Record<string, string>,
): Promise<InvocationResult[]> {
  const results: InvocationResult[] = [];
  const child = fork(join(import.meta.dirname, 'lambda-process.ts'), {
    cwd,
    env,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Log lines are not looked at; what ends the process is shown.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.on('message', (result) => results.push(result as InvocationResult));
  child.send(invocations);
  await new Promise((done) => child.on('close', done));
  return results;
}
