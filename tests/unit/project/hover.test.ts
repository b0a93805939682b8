import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The rules of a sheet that name `:hover`, each with the at-rules and selectors around it. */
function hoverRules(sheet: string): string[][] {
  const around: string[] = [];
  const found: string[][] = [];
  for (const [, before = '', bracket] of sheet
    .replaceAll(/\/\*.*?\*\//gsu, '')
    .matchAll(/([^{};]*)([{};])/gu)) {
    if (bracket === '{') around.push(before.trim());
    if (bracket === '{' && /:hover\b/u.test(before)) found.push([...around]);
    if (bracket === '}') around.pop();
  }
  return found;
}

// A finger leaves `:hover` on what it pressed until it presses something else: the button would look chosen.
test('no stylesheet changes what a finger has left', () => {
  const rules = globSync('{src,local}/**/*.css').flatMap((file) =>
    hoverRules(readFileSync(file, 'utf8')).map((around) => [file, ...around]),
  );
  expect(rules.length, 'rules for a mouse were found').toBeGreaterThan(15);
  const unguarded = rules.filter(
    (around) => !around.some((part) => /^@media .*\(hover: hover\)/u.test(part)),
  );
  expect(unguarded).toEqual([]);
});
