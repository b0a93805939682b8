import { expect, test } from 'vitest';
import { measureFeatures } from '../../features/count-lines.ts';
import { findHomes, readFeatures, readPage } from '../../features/read-features.ts';
import { refreshPage } from '../../features/refresh-page.ts';

const page = readPage();
const features = readFeatures(page);

test('every source file belongs to one feature, and every pattern and SQL name of the page to something', () => {
  const { facts, faults } = measureFeatures(features);
  expect(faults).toEqual([]);
  expect(facts.length).toBeGreaterThan(40);
  const isCurrent = refreshPage(page, facts) === page;
  expect(isCurrent, 'docs/features.md is stale: run `npm run features`.').toBe(true);
});

test('every feature says where it starts and how to take it out', () => {
  const sections = page.split(/^### /mu).slice(1);
  expect(
    sections
      .filter((section) =>
        ['starts', 'files', 'take out'].some((line) => !section.includes(`\n- ${line}: `)),
      )
      .map((section) => section.split('\n')[0]),
  ).toEqual([]);
});

const example = (...sections: readonly string[]): ReturnType<typeof readFeatures> =>
  readFeatures(sections.join('\n'));

test('the most specific pattern decides: a file before a folder, then the longer one', () => {
  const shops = example(
    '### Orders\n\n- files: `src/orders/`, `src/shared.ts`\n',
    '### Push\n\n- files: `**/*push*`, `src/orders/bell/`\n',
  );
  const { files, faults } = findHomes(shops, [
    'src/orders/bell/ring.ts',
    'src/orders/list.ts',
    'src/orders/SendPush.tsx',
    'src/shared.ts',
  ]);
  expect(faults).toEqual([]);
  expect(files.get('Orders')).toEqual(['src/orders/list.ts', 'src/shared.ts']);
  expect(files.get('Push')).toEqual(['src/orders/bell/ring.ts', 'src/orders/SendPush.tsx']);
});

test('a file without a home, one with two, and a pattern without a file are reported with what to write', () => {
  const shops = example(
    '### Orders\n\n- files: `src/*.ts`, `src/old/`\n',
    '### Push\n\n- files: `src/{push,*}.ts`\n',
  );
  const { faults } = findHomes(shops, ['lib/new.ts', 'src/push.ts', 'src/order.ts']);
  expect(faults).toEqual([
    'lib/new.ts belongs to no feature. Add it, or its folder, to a "- files:" line of docs/features.md.',
    'src/order.ts belongs to "Orders" by `src/*.ts` and to "Push" by `src/{push,*}.ts`. Make one of the two more exact in docs/features.md.',
    'No file of "Orders" matches `src/old/`. Remove the pattern from docs/features.md, or correct it.',
  ]);
});

test('a figure is refreshed when it is off by more than 20 lines and 5 percent', () => {
  const section = '### Push\n\n- starts: /admin\n- files: `**/*push*`\n- take out: delete it.\n';
  const row = (code: number): string =>
    `| [Push](#push) | The phone rings. | ${code.toLocaleString('en')} | 0 | 30 |\n\n${section}`;
  const refreshed = (shown: number, code: number): string =>
    refreshPage(row(shown), [
      { name: 'Push', files: [], needs: [], mentions: [], code, sql: 0, tests: 28 },
    ]);
  expect(refreshed(100, 118)).toContain('rings. | 100 | 0 | 30 |\n');
  expect(refreshed(100, 121)).toContain('rings. | 130 | 0 | 30 |\n');
  expect(refreshed(2_000, 2_090)).toContain('rings. | 2,000 | 0 | 30 |\n');
  expect(refreshed(2_000, 2_101)).toContain('rings. | 2,110 | 0 | 30 |\n');
  expect(refreshed(0, 7)).toContain('rings. | 10 | 0 | 30 |\n');
  expect(refreshed(100, 100)).toContain('- needs: the frame alone\n- files:');
  expect(() => refreshPage(section, [])).not.toThrow();
  expect(() =>
    refreshPage(section, [
      { name: 'Push', files: [], needs: [], mentions: [], code: 1, sql: 0, tests: 0 },
    ]),
  ).toThrow('"Push" has no row in the table of docs/features.md: add one.');
});
