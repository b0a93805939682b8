import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

/*
 * Netlify Server (Early Access) takes `netlify/server/index.ts`, and the same with .mts, .js and .mjs, for a server of the project, starts
 * it at each deploy, and hands it every request that nothing else answers: https://docs.netlify.com/build/server/get-started/
 */
test('no file of the functions’ code is one that Netlify would start as a server', () => {
  const names = ['netlify', 'netlify/server'].flatMap((folder) => readdirSync(folder));
  expect(names).toContain('payments');
  expect(names.filter((name) => /^(?:index|server)\./u.test(name))).toEqual([]);
});
