import { readFileSync } from 'node:fs';
import { findFiles } from '#tests/find-files.ts';

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
      ? /\bfetch(?:All)?Rows\('(\w+)'/gu
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
