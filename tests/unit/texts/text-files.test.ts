import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { collections } from '../../../src/content.config.ts';
import { eachRow } from '#tests/each-row.ts';
import { matchLines } from '#domain/texts/category-lines.ts';
import { categories } from '#settings/categories.ts';

type Name = keyof typeof collections;

/** The error of a build for a file with this content; null for none. */
function faultOf(name: Name, data: unknown): string | null {
  const { schema } = collections[name];
  if (schema === undefined || typeof schema === 'function') throw new Error('No schema');
  try {
    schema.parse(data);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const reason = { icon: 'truck', title: 'Sent', text: 'In a box.' };
const home = {
  hero: { heading: ['One', 'line'], lead: 'Lead.', pictureAlt: 'A ring.' },
  story: { heading: 'Story', text: 'Text.', link: 'More' },
  reasons: [reason, reason, reason],
};
const question = { question: 'Why?', answer: 'Because.' };

test('complete files are accepted', () => {
  expect(faultOf('home', home)).toBeNull();
  expect(faultOf('contact', { lead: 'Write.', questions: [question] })).toBeNull();
  expect(faultOf('terms', { description: 'The terms.' })).toBeNull();
  expect(faultOf('shop', { all: 'Everything.' })).toBeNull();
});

test('a fault of home.yaml is told with file, field and what to do', () =>
  eachRow(
    [
      [{ ...home, reasons: [reason] }, 'reasons: give three, each with icon, title and text'],
      [
        { ...home, reasons: [reason, { ...reason, icon: 'lorry' }, reason] },
        'reasons, entry 2, icon: choose one of sparkle, ',
      ],
      [{ ...home, hero: { ...home.hero, heading: 'One' } }, 'hero, heading: give its lines'],
      [{ ...home, hero: { ...home.hero, lead: 24 } }, 'hero, lead: write a text; put one that'],
      [{ ...home, story: { ...home.story, text: ' ' } }, 'story, text: write a text'],
      [{ ...home, reason }, 'no page shows "reason": remove it'],
      [null, 'give hero, story, reasons'],
    ],
    ([data, message]) => {
      expect(faultOf('home', data)).toContain(`src/shop/texts/home.yaml: ${message}`);
    },
  ));

test('a question without an answer, and a link that leaves the shop, are told', () => {
  expect(faultOf('contact', { lead: 'Write.', questions: [{ question: 'Why?' }] })).toBe(
    'src/shop/texts/contact.yaml: questions, entry 1, answer: write a text; put one that is a number in quotes',
  );
  const more = { path: 'returns', text: 'Returns' };
  expect(faultOf('contact', { lead: 'Write.', questions: [{ ...question, more }] })).toBe(
    'src/shop/texts/contact.yaml: questions, entry 1, more, path: begin with /, as in /returns',
  );
});

test('a file that is no YAML is told with its line', async () => {
  const { loader } = collections.about as { loader: { load: (context: unknown) => Promise<void> } };
  const context = {
    config: { root: pathToFileURL('./'), srcDir: pathToFileURL('src/') },
    store: new Map(),
    entryTypes: new Map([
      [
        '.yaml',
        {
          getEntryInfo: () => {
            throw Object.assign(new Error('bad indentation'), { loc: { line: 5, column: 3 } });
          },
        },
      ],
    ]),
  };
  await expect(loader.load(context)).rejects.toThrow(
    /^src\/shop\/texts\/about\.yaml, line 5: this cannot be read\. .*\(bad indentation\)\.$/u,
  );
});

test('every category has a line, and every line a category', () => {
  const file = 'src/shop/texts/shop.yaml';
  const lines = Object.fromEntries(
    ['all', ...categories.map(({ slug }) => slug)].map((slug) => [slug, 'A line.']),
  );
  expect(matchLines(lines, file)).toBe(lines);
  const [first = ''] = categories.map(({ slug }) => slug);
  const { [first]: _line, ...others } = lines;
  expect(() => matchLines(others, file)).toThrow(
    `${file}: ${first}: write a line, as for the other categories.`,
  );
  const absent = `no-${first}`;
  expect(() => matchLines({ ...lines, [absent]: 'Pinned.' }, file)).toThrow(
    `${file}: ${absent}: src/shop/categories.ts has no such category.`,
  );
});
