import { readdir } from 'node:fs/promises';
import type { Config } from '@netlify/functions';
import { expect, test } from 'vitest';
import { useStack, type Endpoint } from '../support/stack.ts';

const folder = new URL('../../../netlify/functions/', import.meta.url);
const stack = await useStack();

/** A path of a pattern: its first action, and some id for every other parameter. */
const samplePath = (pattern: string): string =>
  pattern
    .replace(/:\w+\(([^)]*)\)/gu, (_, actions: string) =>
      (actions.split('|')[0] ?? '').replaceAll('\\', ''),
    )
    .replaceAll(/:\w+/gu, '1001');

test('every address refuses a method that it does not have, and says which it has', async () => {
  const answers: Record<string, string> = {};
  for (const file of (await readdir(folder)).sort()) {
    const { default: endpoint, config } = (await import(new URL(file, folder).href)) as {
      default: Endpoint;
      config?: Config;
    };
    for (const pattern of [config?.path ?? []].flat()) {
      for (const method of ['PATCH', 'OPTIONS']) {
        const { status, headers } = await stack.call(endpoint, samplePath(pattern), { method });
        if (status !== 405 || !headers.get('allow'))
          answers[`${method} ${pattern}`] = String(status);
      }
    }
  }
  expect(answers).toEqual({});
});
