import type { CreateRule } from '@oxlint/plugins';
import { eachImport } from './each-import.ts';
import { layers, lazyDoor, packageBans } from './layers.ts';
import { featureOf, importedPath, layerOf, projectPath } from './project-path.ts';

/** The fault of an import of `source` in the file at the project path `importer`; null when there is none. */
function faultOf(importer: string, source: string, lazy: boolean): string | null {
  const target = importedPath(importer, source);
  if (target === null) {
    return (
      packageBans.find((ban) => ban.packages.test(source) && ban.refusedIn(importer))?.advice ??
      null
    );
  }
  const from = layerOf(importer);
  const feature = featureOf(target);
  if (
    feature !== null &&
    feature !== featureOf(importer) &&
    from !== 'netlify/places' &&
    from !== 'netlify/functions'
  )
    return `${feature} is a feature, which is taken out by deleting its folders: only they import its files. Let the core offer a place for it, or move what both need into the core.`;
  if (from === 'none') return null; // The files rule speaks of it.
  if (!/\.[a-z\d]+$/u.test(target))
    return `Write the extension of '${source}': Node runs these files as they are.`;
  if (from === 'root' || from === 'tests') return null;
  const to = layerOf(target);
  if (from === to) return null;
  if (lazy && from === lazyDoor.from && target === lazyDoor.to) return null;
  // Files outside the layers, such as releases.json, are for local alone.
  if (to === 'root') return from === 'local' ? null : layers[from].advice;
  return to !== 'none' && layers[from].below.includes(to) ? null : layers[from].advice;
}

/** Imports stay in their layer or go down; packages stay in their home. */
export const importsRule: CreateRule = {
  meta: { type: 'problem', messages: { fault: '{{advice}}' }, schema: [] },
  create(context) {
    const importer = projectPath(context.filename);
    return eachImport((node, source, lazy) => {
      const advice = faultOf(importer, source, lazy);
      if (advice !== null) context.report({ node, messageId: 'fault', data: { advice } });
    });
  },
};
