import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { shop } from '../../../src/shop.config.ts';
import tokens from '../../../tailwind.config.mjs';

// Tailwind says nothing of a `@source` that is not there: its classes are missing from the page, and nothing else.
test('every file and folder that a stylesheet names is there', () => {
  const named = globSync('src/styles/**/*.css').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/@(?:source|import|reference|config)(?: not)? '(\.[^']+)'/gu)].map(([, path]) =>
      join(dirname(file), path ?? ''),
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test('the payment dialog has a colour of the tokens', () => {
  expect(shop.checkout.themeColor).toBe(tokens.theme.colors.gold[700]);
});
