import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { findExpired } from '#local/shared/contract.ts';
import { findFiles } from '#tests/find-files.ts';

const releases = ['1.8.0', '1.9.0', '1.10.0', '1.10.1'].map((version) => ({ version }));

test('what serves a release older than the last but one is listed', () => {
  const sources = [
    {
      path: 'supabase/schemas/orders/orders.sql',
      text: '-- A column.\n-- Two parameters are of release 1.9.0, one is of release 1.10.0.\n-- Release 1.8.0 sends none.',
    },
    {
      path: 'netlify/core/ask.ts',
      text: `callNewFunction('ask', args, schema, 'of release 1.2.0', before);`,
    },
  ];
  expect(findExpired(sources, releases)).toEqual([
    'supabase/schemas/orders/orders.sql:2: of release 1.9.0',
    'supabase/schemas/orders/orders.sql:3: Release 1.8.0',
    'netlify/core/ask.ts:1: of release 1.2.0',
  ]);
});

test('what serves the last release or the one before it stays', () => {
  const sources = [
    { path: 'a.sql', text: '-- of release 1.10.0' },
    { path: 'b.sql', text: '-- of release 1.10.1' },
  ];
  expect(findExpired(sources, releases)).toEqual([]);
  expect(
    findExpired([{ path: 'a.sql', text: '-- of release 1.0.0' }], releases.slice(0, 1)),
  ).toEqual([]);
});

test('the search finds what is there in these sources for the last release, in SQL and in TypeScript', async () => {
  const paths = findFiles(['supabase/schemas/**/*.sql', 'netlify/**/*.ts']);
  const sources = await Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })),
  );
  const later = [{ version: '99.0.0' }, { version: '99.0.1' }];
  const found = findExpired(sources, later);
  expect(found).toContainEqual(
    expect.stringMatching(/^supabase\/schemas\/[\w/-]+\.sql:\d+: of release \d/u),
  );
  expect(found).toContainEqual(expect.stringMatching(/^netlify\/.*\.ts:\d+: of release \d/u));
});
