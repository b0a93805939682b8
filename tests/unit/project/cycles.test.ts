import { expect, test } from 'vitest';
import { complaints, type Case } from '../../lint/complaints.ts';

/* The other files of a cycle are read from the disk: these are files of the shop, each with another text than it has. */
const cycle = (...files: string[]): string => `Import cycle: ${files.join(' → ')}. Move what both need into a file of its own.`;
const cycles = (...cases: Case[]): Promise<string[][]> => complaints(cases, /^shop\(cycles\)$/u, ['src']);

test('two files do not import each other, in any spelling', async () => {
  const spellings = [
    "import { a } from './cart/cart.ts';",
    "import type { Cart } from './cart/cart.ts';",
    "export type Two = import('./cart/cart.ts').Cart;",
    "export { b } from './cart/cart.ts';",
    "await import('./cart/cart.ts');",
    "import './cart/cart.ts';",
  ];
  const way = cycle('src/domain/money.ts', 'src/domain/cart/cart.ts', 'src/domain/money.ts');
  expect(await cycles(['src/domain/money.ts', spellings.join('\n')])).toEqual([spellings.map(() => way)]);
});

test('nor by way of a third', async () => {
  expect(await cycles(['src/domain/money.ts', "import '../stores/cart.ts';"])).toEqual([
    [cycle('src/domain/money.ts', 'src/stores/cart.ts', 'src/domain/cart/cart.ts', 'src/domain/money.ts')],
  ]);
});

test('a component is looked at with its script, a file with itself; imports in one direction are free', async () => {
  const page = "---\n---\n<script>\nimport '../pages/index.astro';\n</script>\n";
  const answers = await cycles(
    ['src/layouts/Base.astro', page],
    ['src/domain/money.ts', "import './money.ts';"],
    ['src/domain/cart/cart.ts', "import '../money.ts';"],
  );
  expect(answers).toEqual([
    [cycle('src/layouts/Base.astro', 'src/pages/index.astro', 'src/layouts/Base.astro')],
    [cycle('src/domain/money.ts', 'src/domain/money.ts')],
    [],
  ]);
});
