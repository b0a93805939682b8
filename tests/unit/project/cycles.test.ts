import { expect, test } from 'vitest';
import { complaints } from '../../lint/complaints.ts';

/* The other files of a cycle are read from the disk: these are files of the shop, each with another text than it has. */
const cycle = (...files: string[]): string => `Import cycle: ${files.join(' → ')}. Move what both need into a file of its own.`;

test('two files do not import each other, in any spelling', async () => {
  const spellings = [
    "import { a } from './cart/cart.ts';\na();",
    "import type { Cart } from './cart/cart.ts';\nexport type Two = Cart;",
    "export type Cart = import('./cart/cart.ts').Cart;",
    "export { a } from './cart/cart.ts';\nexport const one = 1;",
    "await import('./cart/cart.ts');",
    "import './cart/cart.ts';",
  ];
  const answers: unknown[] = [];
  for (const code of spellings) answers.push([code, await complaints('src/domain/money.ts', code)]);
  const expected = [cycle('src/domain/money.ts', 'src/domain/cart/cart.ts', 'src/domain/money.ts')];
  expect(answers).toEqual(spellings.map((code) => [code, expected]));
});

test('nor by way of a third', async () => {
  expect(await complaints('src/domain/money.ts', "import '../stores/cart.ts';")).toContain(
    cycle('src/domain/money.ts', 'src/stores/cart.ts', 'src/domain/cart/cart.ts', 'src/domain/money.ts'),
  );
});

test('a component is looked at with its script', async () => {
  const page = "---\n---\n<script>\nimport '../pages/index.astro';\n</script>\n";
  expect(await complaints('src/layouts/Base.astro', page)).toContain(
    cycle('src/layouts/Base.astro', 'src/pages/index.astro', 'src/layouts/Base.astro'),
  );
});

test('nor does a file import itself', async () => {
  expect(await complaints('src/domain/money.ts', "import './money.ts';")).toEqual([
    cycle('src/domain/money.ts', 'src/domain/money.ts'),
  ]);
});

test('imports in one direction are free', async () => {
  expect(await complaints('src/domain/cart/cart.ts', "import '../money.ts';")).toEqual([]);
});
