import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '#local/shared/settings.ts';

/** Folders whose modules functions may be made of: all sources, so that no list of them is missing one. */
const sources = ['netlify', 'src'].map((path) => join(projectRoot, path));
/** Functions import no component, page or style. */
const isModule = (path: string): boolean => /\.(?:ts|mjs|json)$/u.test(path);
/** An editor writes a file in several steps. */
const quietMs = 100;

/**
 * Calls back soon after a source of functions changed; whatever imports functions then gets all of their modules anew,
 * without the state that the old ones held. Returns how to stop. Node keeps a module for good, so each change gives them
 * new addresses: the file's own with a number behind it, passed on from importer to imported.
 */
export function reloadOnChange(
  changed: () => void,
  paths: readonly string[] = sources,
): () => void {
  const starts = paths.map((path) => pathToFileURL(path).href);
  let version = 0;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      if (version === 0 || !starts.some((start) => found.url.startsWith(start))) return found;
      const from = new URL(context.parentURL ?? 'file:///').searchParams.get('reload');
      return {
        ...found,
        url: `${found.url.split('?')[0] ?? ''}?reload=${from ?? String(version)}`,
      };
    },
  });
  let timer: NodeJS.Timeout | undefined;
  const onChange = (path: string): void => {
    if (!isModule(path) || !paths.some((watched) => path.startsWith(watched))) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      version += 1;
      watchFolders();
      changed();
    }, quietMs);
  };
  const watchers = new Map<string, FSWatcher>();
  const watchFolders = (): void => {
    for (const folder of new Set(paths.flatMap(foldersOf))) {
      if (!watchers.has(folder))
        watchers.set(
          folder,
          watch(folder, (_, name) => {
            onChange(join(folder, name ?? ''));
          }),
        );
    }
  };
  watchFolders();
  return () => {
    clearTimeout(timer);
    hooks.deregister();
    for (const watcher of watchers.values()) watcher.close();
  };
}

/**
 * The folders to watch for a file or a folder with all that is in it. One watcher a folder, because Node's recursive one
 * loses a file on Linux when an editor saves it by renaming a new one over it.
 */
function foldersOf(path: string): string[] {
  if (statSync(path).isFile()) return [dirname(path)];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return [
    path,
    ...entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name)),
  ];
}
