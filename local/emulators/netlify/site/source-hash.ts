import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const folders = ['src', 'public'];
const configFiles =
  /^(?:astro\.config\.\w+|tailwind\.config\.\w+|tsconfig\.json|package\.json|package-lock\.json)$/u;

/** A text that changes when a build of the same catalogue could come out differently: sources, packages, Node, variables. */
export async function hashSources(
  root: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const hash = createHash('sha256').update(process.version).update('\0');
  const configs = (await readdir(root)).filter((name) => configFiles.test(name));
  const sources = await Promise.all(folders.map(async (name) => listFiles(root, name)));
  for (const path of [...configs, ...sources.flat()].sort()) {
    hash
      .update(path)
      .update('\0')
      .update(await readFile(join(root, path)))
      .update('\0');
  }
  return hash
    .update(
      JSON.stringify(
        Object.entries(variables).toSorted(([one], [other]) => (one < other ? -1 : 1)),
      ),
    )
    .digest('hex');
}

async function listFiles(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
