import { watch } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../stack/settings.ts';

/** What functions are made of. */
const sources = ['netlify', 'src/domain', 'src/shop.config.ts'].map((path) => join(projectRoot, path));
/** An editor writes a file in several steps. */
const quietMs = 100;

/**
 * Calls back soon after a source of functions changed; whatever imports functions then gets all of their modules anew,
 * without the state that the old ones held. Returns how to stop. Node keeps a module for good, so each change gives them
 * new addresses: the file's own with a number behind it, passed on from importer to imported.
 */
export function reloadOnChange(changed: () => void, paths: readonly string[] = sources): () => void {
  const starts = paths.map((path) => pathToFileURL(path).href);
  let version = 0;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      if (version === 0 || !starts.some((start) => found.url.startsWith(start))) return found;
      const from = new URL(context.parentURL ?? 'file:///').searchParams.get('reload');
      return { ...found, url: `${found.url.split('?')[0] ?? ''}?reload=${from ?? String(version)}` };
    },
  });
  let timer: NodeJS.Timeout | undefined;
  const onChange = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      version += 1;
      changed();
    }, quietMs);
  };
  const watchers = paths.map((path) => watch(path, { recursive: true }, onChange));
  return () => {
    clearTimeout(timer);
    hooks.deregister();
    for (const watcher of watchers) watcher.close();
  };
}
