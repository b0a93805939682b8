import { readFileSync } from 'node:fs';
import { globSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Properties that move without a new layout or a new painting of the page. */
const cheap = ['opacity', 'transform', 'scale', 'translate', 'rotate'];
/** A property that a keyframe may switch besides: it is no motion. */
const switches = ['visibility'];

const withoutComments = (css: string) => css.replaceAll(/\/\*[\s\S]*?\*\//gu, '');
const sheets = globSync('src/**/*.css').map((path) => ({
  path,
  css: withoutComments(readFileSync(path, 'utf8')),
}));
const found = (pattern: RegExp) =>
  sheets.flatMap(({ path, css }) => [...css.matchAll(pattern)].map((match) => ({ path, match })));

test('a transition is of opacity or a transform, and takes 120 to 180 ms', () => {
  const transitions = found(/\btransition:\s*([^;]+);/gu);
  expect(transitions.length).toBeGreaterThan(3);
  for (const { path, match } of transitions)
    for (const part of (match[1] ?? '').split(/,(?![^(]*\))/u)) {
      const [property = '', duration = ''] = part.trim().split(/\s+/u);
      expect(cheap, path).toContain(property);
      expect(duration, path).toMatch(/^1(?:[2-7]\d|80)ms$/u);
    }
  // The long forms would go by unseen.
  expect(found(/\btransition-(?:property|duration):/gu)).toHaveLength(1);
});

test('keyframes change opacity and transforms alone, or switch something to be seen', () => {
  const frames = found(/@keyframes\s+([\w-]+)\s*\{((?:[^{}]*\{[^{}]*\})*)\s*\}/gu);
  expect(frames.length).toBeGreaterThan(4);
  for (const { path, match } of frames)
    for (const [, property] of (match[2] ?? '').matchAll(/([\w-]+)\s*:/gu))
      expect([...cheap, ...switches], `${path} ${match[1] ?? ''}`).toContain(property);
});

test('scripts move elements by the one function that asks whether motion is wanted', () => {
  const scripts = globSync('src/**/*.{ts,tsx,astro}');
  const callers = scripts.filter((path) => /\.animate\(/u.test(readFileSync(path, 'utf8')));
  expect(callers).toEqual(['src/elements/site/short-motion.ts']);
  const frames = scripts.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/moveBriefly\([^{]*\{ (\w+): /gu)].map(
      ([, property]) => property ?? '',
    ),
  );
  expect(frames.length).toBeGreaterThan(1);
  for (const property of frames) expect(cheap).toContain(property);
  const classes = scripts.flatMap((path) => [
    ...readFileSync(path, 'utf8').matchAll(/["'\s:](?:transition|animate|duration)-[\w[\]-]+/gu),
  ]);
  expect(classes).toEqual([]);
});

test('with reduced motion every transition and animation ends at once', () => {
  const motion = sheets.find(({ path }) => path.endsWith('motion.css'))?.css ?? '';
  const reduced = motion.slice(motion.indexOf('(prefers-reduced-motion: reduce)'));
  expect(reduced).toMatch(
    /^\(prefers-reduced-motion: reduce\) \{\s*\*,\s*::before,\s*::after \{\s*animation-duration: 1ms !important;\s*animation-iteration-count: 1 !important;\s*transition-duration: 0s !important;/u,
  );
  const important = found(/(?:animation|transition)[\w-]*:[^;]*!important/gu);
  expect(new Set(important.map(({ path }) => path))).toEqual(new Set(['src/styles/motion.css']));
});
