import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findFiles } from '../../find-files.ts';

/** The one place that hands on the name of a function. */
const generic = 'netlify/core/platform/database.ts';

/** The action of a request of a table that is written with `fetch`. */
const actions: Readonly<Record<string, string>> = {
  POST: 'upsert',
  PATCH: 'update',
  DELETE: 'delete',
};

/**
 * Every call of the Data API in the sources, sorted: `rpc NAME`, or `FILE select|insert|update|upsert|delete TABLE`.
 * Throws at a call whose table or function is not written out, for nobody could list it.
 */
export function findCalls(): string[] {
  const calls = new Set<string>();
  for (const file of findFiles(['src/**/*.{ts,tsx,astro}', 'netlify/**/*.ts'])) {
    const source = readFileSync(file, 'utf8');
    for (const [, name = ''] of source.matchAll(
      /\b(?:callFunction|callNewFunction|rpc)\(\s*'(\w+)'/gu,
    ))
      calls.add(`rpc ${name}`);
    for (const [, table = '', action = ''] of source.matchAll(
      /(?<!storage)\.from\(\s*'(\w+)'\s*\)\s*\.(\w+)\(/gu,
    ))
      calls.add(`${file} ${action} ${table}`);
    const reads = source.includes('/rest/v1/${table}')
      ? /\bfetchRows\('(\w+)'/gu
      : /\/rest\/v1\/(\w+)`/gu;
    for (const [, table = ''] of source.matchAll(reads)) {
      calls.add(`${file} select ${table}`);
      for (const [, method = ''] of source.matchAll(/\bmethod: '(POST|PATCH|DELETE)'/gu))
        calls.add(`${file} ${actions[method] ?? method} ${table}`);
    }
    const hidden = /\bsupabase\.rpc\((?!')|\bdatabase\(\)\.(?:rpc|from)\((?!')|\.schema\(/u.exec(
      source,
    );
    if (hidden && file !== generic)
      throw new Error(
        `${file} asks the database with a name that is not written out: ${hidden[0]}`,
      );
  }
  return [...calls].sort();
}

/** The declarations of a module by their names, and where its imported names are from. Prettier puts each at the beginning of a line. */
function readModule(file: string): {
  declarations: Map<string, string>;
  imports: Map<string, { file: string; name: string }>;
} {
  const source = readFileSync(file, 'utf8');
  const declarations = new Map<string, string>();
  const starts = /^(?=(?:export )?(?:async )?(?:function|const|let|class|type|interface) )/mu;
  for (const text of source.split(starts)) {
    const [, names = ''] =
      /^(?:export )?(?:async )?(?:function|const|let|class) (\w+|\{[^}]*\}|\[[^\]]*\])/u.exec(
        text,
      ) ?? [];
    for (const name of names.match(/\w+/gu) ?? []) declarations.set(name, text);
  }
  const imports = new Map<string, { file: string; name: string }>();
  for (const [, names = '', path = ''] of source.matchAll(
    /^import \{([^}]*)\} from '(\.[^']+)';/gmu,
  )) {
    for (const each of names.split(',')) {
      const [name = '', alias = name] = each.trim().split(' as ');
      if (name !== '' && !name.startsWith('type '))
        imports.set(alias, { file: join(dirname(file), path).replaceAll('\\', '/'), name });
    }
  }
  return { declarations, imports };
}

/**
 * The functions of the database that a function of the sources calls, by itself or through others, sorted. Throws for a name that is not
 * declared where it is looked for.
 */
function findCallsOf(file: string, name: string): string[] {
  const modules = new Map<string, ReturnType<typeof readModule>>();
  const seen = new Set<string>();
  const calls = new Set<string>();
  const visit = (path: string, wanted: string): void => {
    if (seen.has(`${path} ${wanted}`)) return;
    seen.add(`${path} ${wanted}`);
    const { declarations, imports } = modules.get(path) ?? readModule(path);
    modules.set(path, { declarations, imports });
    const text = declarations.get(wanted);
    if (text === undefined) throw new Error(`${path} declares no ${wanted}`);
    for (const [, call = ''] of text.matchAll(/\bcall(?:New)?Function\(\s*'(\w+)'/gu))
      calls.add(call);
    for (const word of new Set(text.match(/\b\w+\b/gu))) {
      const imported = imports.get(word);
      if (imported) visit(imported.file, imported.name);
      else if (declarations.has(word)) visit(path, word);
    }
  };
  visit(file, name);
  return [...calls].sort();
}

/** The functions of the database that a run of the sweep calls, sorted. */
export const findSweepCalls = (): string[] =>
  findCallsOf('netlify/core/scheduled/run-sweep.ts', 'runSweep');
