/*
 * A child process that bundles functions, one after the other, as a deploy does: names come as messages, what became
 * of each goes back as one. Its own process, because tracing a bundle keeps a core busy for about a second.
 */
import { writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join, sep } from 'node:path';
import { zipFunction } from '@netlify/zip-it-and-ship-it';
import type { BundleReply, BundleRequest } from './function-bundles.ts';

// Whoever waits for a page goes first.
setPriority(5);

let queue = Promise.resolve();
process.on('message', (request: BundleRequest) => {
  queue = queue.then(async () => {
    const reply = await bundle(request).catch((error: unknown): BundleReply => ({ name: request.name, error: String(error) }));
    process.send?.(reply);
  });
});
process.on('disconnect', () => process.exit(0));

async function bundle({ name, source, outDir }: BundleRequest): Promise<BundleReply> {
  const result = await zipFunction(source, outDir, {
    archiveFormat: 'none',
    basePath: process.cwd(),
    // As netlify.toml says.
    config: { '*': { nodeSourcemap: true, externalNodeModules: ['sharp'] } },
    featureFlags: { zisi_pure_esm: true, zisi_pure_esm_mjs: true },
  });
  if (!result?.entryFilename) throw new Error(`${name} cannot be bundled`);
  await writeFile(join(result.path, 'package.json'), '{"type":"commonjs"}');
  return {
    name,
    bundle: {
      buildPath: join(result.path, result.entryFilename),
      mainFile: source,
      routes: result.routes ?? [],
      excludedRoutes: result.excludedRoutes ?? [],
      ...(result.schedule === undefined ? {} : { schedule: result.schedule }),
      runtimeAPIVersion: result.runtimeAPIVersion ?? 1,
      srcFiles: (result.inputs ?? []).filter((path) => !path.includes(`${sep}node_modules${sep}`)),
    },
  };
}
