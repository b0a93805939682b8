import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { makeImage } from './database-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for the stack of the function tests, with the image of its database. */
    stackFolder: string;
  }
}

/** Vitest's global set-up: the migrated database that each worker's stack loads. Returns the tear-down. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'kasavu-functions-'));
  await writeFile(
    join(folder, 'database.tar'),
    Buffer.from(await (await makeImage()).arrayBuffer()),
  );
  project.provide('stackFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}
