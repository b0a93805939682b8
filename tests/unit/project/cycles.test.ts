import { expect, test } from 'vitest';
import { complaints } from '../../lint/complaints.ts';

const cycle = (...files: string[]): string =>
  `Import cycle: ${files.join(' → ')}. Move what both need into a file of its own.`;

test('no file imports itself, directly or by way of others, in any spelling; imports in one direction are free', async () => {
  const spellings = [
    "import { a } from './cart.ts';",
    "import type { Cart } from './cart.ts';",
    "export type Two = import('./cart.ts').Cart;",
    "export { b } from './cart.ts';",
    "await import('./cart.ts');",
    "import './cart.ts';",
  ];
  const page = "---\n---\n<script>\nimport '../pages/index.astro';\n</script>\n";
  const answers = await complaints(
    [
      ['src/domain/money.ts', spellings.join('\n')],
      ['src/domain/cart.ts', "import '../stores/amount.ts';\nimport './one-way.ts';"],
      [
        'src/stores/amount.ts',
        "export const three = 'import';\nexport { a } from '../domain/money.ts';",
      ],
      ['src/domain/one-way.ts', "import './nobody.ts';"],
      ['src/domain/self.ts', "import './self.ts';"],
      ['src/layouts/Base.astro', page],
      ['src/pages/index.astro', "---\nimport Base from '../layouts/Base.astro';\n---\n<Base />\n"],
    ],
    /^shop\(cycles\)$/u,
  );
  const [money, cart, amount] = [
    'src/domain/money.ts',
    'src/domain/cart.ts',
    'src/stores/amount.ts',
  ] as const;
  const [base, index] = ['src/layouts/Base.astro', 'src/pages/index.astro'] as const;
  expect(answers).toEqual([
    spellings.map(() => cycle(money, cart, amount, money)),
    [cycle(cart, amount, money, cart)],
    [cycle(amount, money, cart, amount)],
    [],
    [cycle('src/domain/self.ts', 'src/domain/self.ts')],
    [cycle(base, index, base)],
    [cycle(index, base, index)],
  ]);
});
