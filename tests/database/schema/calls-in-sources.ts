import { globSync, readFileSync } from 'node:fs';

/** The one place that hands on the name of a function. */
const generic = 'netlify/server/platform/database.ts';

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
  for (const file of globSync(['src/**/*.{ts,tsx,astro}', 'netlify/**/*.ts'])) {
    const source = readFileSync(file, 'utf8');
    for (const [, name = ''] of source.matchAll(/\b(?:callFunction|rpc)\(\s*'(\w+)'/gu))
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

/** The functions of the database that the sweep's own modules call, sorted. */
export function findSweepCalls(): string[] {
  const calls = new Set<string>();
  const sources = [
    'netlify/server/{scheduled,health}/*.ts',
    'netlify/server/mail/{outbox,admin-alert}.ts',
    'netlify/server/payments/{confirm-payment,payment-origin,refunds}.ts',
    'netlify/server/orders/documents/credit-notes.ts',
    'netlify/server/publishing/publish.ts',
  ];
  for (const file of globSync(sources))
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/\bcallFunction\(\s*'(\w+)'/gu))
      calls.add(name);
  return [...calls].sort();
}
