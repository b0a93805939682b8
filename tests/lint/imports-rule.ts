import type { Rule } from 'eslint';
import { floors, lazyDoor, packageBans } from './floors.ts';
import { importedPath, floorOf, projectPath } from './project-path.ts';

/** What is wrong with an import of `source` in the file at the project path `importer`; null when nothing is. */
function faultOf(importer: string, source: string, lazy: boolean): string | null {
  const target = importedPath(importer, source);
  if (target === null) {
    return packageBans.find((ban) => ban.packages.test(source) && ban.refusedIn(importer))?.advice ?? null;
  }
  const from = floorOf(importer);
  if (from === 'none') return null; // The files rule speaks of it.
  if (!/\.[a-z\d]+$/u.test(target))
    return `Write the extension of '${source}': Node runs these files as they are.`;
  if (from === 'root' || from === 'tests') return null;
  const to = floorOf(target);
  if (from === to) return null;
  if (lazy && from === lazyDoor.from && target === lazyDoor.to) return null;
  // Files beside the floors, such as package.json, are for local alone.
  if (to === 'root') return from === 'local' ? null : floors[from].advice;
  return to !== 'none' && floors[from].below.includes(to) ? null : floors[from].advice;
}

interface Literal {
  value?: unknown;
  literal?: { value?: unknown };
}

/** Imports stay on their floor or go down; packages stay in their home. */
export const importsRule: Rule.RuleModule = {
  meta: { type: 'problem', messages: { fault: '{{advice}}' }, schema: [] },
  create(context) {
    // Client scripts of .astro files are linted as `Name.astro/1.ts`: the file on disk is what counts.
    const importer = projectPath(context.physicalFilename);
    const check = (node: Rule.Node, source: Literal | null | undefined, lazy = false) => {
      const text = source?.value ?? source?.literal?.value;
      if (typeof text !== 'string') return;
      const advice = faultOf(importer, text, lazy);
      if (advice !== null) context.report({ node, messageId: 'fault', data: { advice } });
    };
    return {
      ImportDeclaration: (node) => {
        check(node, node.source);
      },
      ExportAllDeclaration: (node) => {
        check(node, node.source);
      },
      ExportNamedDeclaration: (node) => {
        check(node, node.source);
      },
      ImportExpression: (node) => {
        check(node, node.source.type === 'Literal' ? node.source : null, true);
      },
      TSImportType: (node: Rule.Node & { argument?: Literal; source?: Literal }) => {
        check(node, node.source ?? node.argument);
      },
    };
  },
};
