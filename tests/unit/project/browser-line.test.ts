import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  adminLine,
  adminMarks,
  browserSentence,
  customerLine,
  customerMarks,
} from '#domain/browsers.ts';
import { lackedBy, members } from '#tests/browser-line/mdn-data.ts';
import { findScriptFaults } from '#tests/browser-line/script-faults.ts';
import { findStyleFaults } from '#tests/browser-line/style-faults.ts';

const scriptFaults = (code: string): string[] =>
  findScriptFaults(new Map([['page.js', code]]), customerLine);
const styleFaults = (sheet: string): string[] =>
  findStyleFaults(new Map([['page.css', sheet]]), customerLine);

test.each([
  ['Promise.withResolvers()', 'Promise.withResolvers'],
  ['AbortSignal.any([signal])', 'AbortSignal.any'],
  ['element.checkVisibility()', 'Element.checkVisibility'],
  ['button.ariaPressed = "true"', 'Element.ariaPressed'],
  ['navigator.share({ url })', 'Navigator.share'],
  ['document.querySelector("dialog:modal")', 'the selector :modal'],
  ['/(?<=a)b/', 'lookbehind_assertion'],
  ['/[a--b]/v', 'unicodeSets'],
  ['class A { static { begin() } }', 'initialization_blocks'],
  ['import data from "./data.json" with { type: "json" }', 'import_attributes'],
])('%s is found in a script', (code, feature) => {
  expect(scriptFaults(code).join()).toContain(`${feature} is missing in `);
});

test.each([
  ['what every browser of the line has', 'structuredClone(list.at(-1)); Object.hasOwn(a, "b")'],
  ['an optional call', 'element.checkVisibility?.()'],
  ['a call behind `in`', 'if ("share" in navigator) navigator.share({ url })'],
  ['a member that came with the one asked for', '"showPopover" in part && part.hidePopover()'],
  ['a property that is only read', 'const { connection } = navigator; use(navigator.connection)'],
  ['a method of the shop’s own', 'class Part { toSorted() {} } part.toSorted()'],
])('%s is no fault of a script', (_, code) => {
  expect(scriptFaults(code)).toEqual([]);
});

test.each([
  ['@media (width >= 40rem) { p { color: red } }', 'range'],
  ['@container (min-width: 40rem) { p { color: red } }', '@container'],
  ['p { & a { color: red } }', 'nesting'],
  ['p:has(a) { color: red }', ':has'],
  ['p { height: calc(100dvh - 1rem) }', 'height in dvh'],
  ['p { color: light-dark(red, blue) }', 'color in light-dark()'],
])('%s is found in a style sheet', (sheet, feature) => {
  expect(styleFaults(sheet).join()).toMatch(
    new RegExp(`^${feature.replaceAll(/[()]/gu, '\\$&')}.* is missing in `, 'u'),
  );
});

test.each([
  ['what every browser of the line has', '@media (min-width: 40rem) { p:is(a) { color: red } }'],
  ['what stands behind @supports', '@supports selector(:has(a)) { p:has(a) { color: red } }'],
  ['a value after one for all', 'p { height: 100vh; height: 100dvh }'],
  ['a pseudo-element alone', 'p::details-content { color: red }'],
  ['a selector in a list that forgives', 'p:is(a, :popover-open) { color: red }'],
])('%s is no fault of a style sheet', (_, sheet) => {
  expect(styleFaults(sheet)).toEqual([]);
});

test.each([
  ['customers', customerMarks, customerLine],
  ['the admin', adminMarks, { ...adminLine, firefox: customerLine.firefox }],
] as const)(
  'the interfaces that mark a browser for %s are in all of the line',
  (_, marks, line) => {
    for (const mark of marks) {
      const { feature } = members.find(({ owner, name }) => owner === mark && name === '') ?? {};
      expect(feature, mark).toBeDefined();
      expect(lackedBy(feature, line), mark).toEqual([]);
      // Five versions further down it is missing: the mark is not one of every browser.
      const below = { chrome: String(Number(line.chrome) - 5), safari: '15.3' };
      expect(lackedBy(feature, below), mark).not.toEqual([]);
    }
  },
);

test('README names the browsers as they are declared', () => {
  expect(readFileSync('README.md', 'utf8').replaceAll(/\s+/gu, ' ')).toContain(browserSentence);
});
