import { describe, expect, test } from 'vitest';
import { rebaseForm } from '#domain/admin/products/product-rebase.ts';
import { emptyProductForm, type ProductForm } from '#domain/admin/products/product-form.ts';
import { sameForm } from '#domain/admin/products/same-form.ts';

const base: ProductForm = {
  ...emptyProductForm,
  name: 'Mala',
  price: '499',
  category: 'necklaces',
  stock: '5',
  images: ['products/a.webp'],
  imageAlts: ['front'],
};

test('surrounding spaces make no other form', () => {
  expect(sameForm(base, { ...base, name: ' Mala ' })).toBe(true);
  expect(sameForm(base, { ...base, imageAlts: ['back'] })).toBe(false);
});

describe('a product that changed while it was edited', () => {
  test('keeps what was typed, takes what was not, and names each field that changed elsewhere', () => {
    const mine = { ...base, name: 'My Mala', price: '450', metal: 'Brass' };
    const theirs = { ...base, name: 'Their Mala', category: 'rings', price: '499' };
    expect(rebaseForm(base, mine, theirs)).toEqual({
      form: { ...mine, category: 'rings' },
      changed: {
        name: 'Changed meanwhile from Mala to Their Mala: look again.',
        category: expect.stringMatching(
          /^Changed meanwhile from .+ to .+: look again\.$/u,
        ) as string,
      },
    });
  });

  test('asks nothing about a field that only the admin changed, or that both changed alike', () => {
    for (const [mine, theirs] of [
      [{ ...base, name: 'Palakka Mala' }, base],
      [
        { ...base, price: '450 ' },
        { ...base, price: '450' },
      ],
    ] as const)
      expect(rebaseForm(base, mine, theirs)).toEqual({ form: mine, changed: {} });
  });

  test('takes or keeps images together with their descriptions', () => {
    const theirs = {
      ...base,
      images: ['products/b.webp', 'products/a.webp'],
      imageAlts: ['back', 'front'],
    };
    const taken = rebaseForm(base, base, theirs);
    expect(taken.form).toEqual(theirs);
    expect(Object.keys(taken.changed)).toEqual(['images']);
    const mine = { ...base, imageAlts: ['clasp'] };
    const kept = rebaseForm(base, mine, theirs);
    expect(kept.form).toEqual(mine);
    expect(Object.keys(kept.changed)).toEqual(['images']);
  });
});

describe('stock counts as a change', () => {
  const stockAfter = (had: string, typed: string, now: string) =>
    rebaseForm({ ...base, stock: had }, { ...base, stock: typed }, { ...base, stock: now });

  test.each([
    ['6', '1,010', '8', '1012'],
    ['', '4', '2', '6'],
    ['6', '6', '5', '5'],
    ['6', '4', '6', '4'],
    ['6', '1', '5', '0'],
  ])('it was %s, the admin typed %s, and now it is %s: %s', (had, typed, now, saved) => {
    const { form, changed } = stockAfter(had, typed, now);
    expect([Number(form.stock), changed]).toEqual([Number(saved), {}]);
  });

  test('a change that would leave less than none is asked about', () => {
    const { form, changed } = stockAfter('6', '0', '5');
    expect(form.stock).toBe('0');
    expect(changed).toEqual({ stock: 'Changed meanwhile from 6 to 5: look again.' });
  });
});

describe('sizes that changed while they were edited', () => {
  const sized = (sizes: Readonly<Record<string, string>>): ProductForm => ({
    ...base,
    stock: String(Object.values(sizes).reduce((sum, stock) => sum + Number(stock), 0)),
    sizes: Object.entries(sizes).map(([size, stock]) => ({ size, stock })),
  });
  const had = sized({ S: '2', M: '3', L: '1' });
  const after = (mine: ProductForm, theirs: ProductForm, from = had) => {
    const { form, changed } = rebaseForm(from, mine, theirs);
    const sizes = form.sizes.map(({ size, stock }) => `${size}:${stock}`).join(' ');
    return [sizes, ...Object.keys(changed)];
  };

  test('each has its own change of stock, also beside a removed and a new one', () => {
    const theirs = sized({ S: '1', M: '2', L: '1' });
    expect(after(sized({ S: '5', M: '3', L: '4' }), theirs)).toEqual(['S:4 M:2 L:4']);
    expect(after(sized({ S: '2', XL: '6' }), theirs)).toEqual(['S:1 XL:6']);
    expect(after(sized({ S: '2', M: '0', L: '1' }), theirs)).toEqual(['S:1 M:0 L:1', 'sizes']);
  });

  test('added or removed elsewhere they are taken over, and asked about', () => {
    const theirs = sized({ S: '1', M: '3', XS: '4' });
    expect(after(sized({ S: '2', M: '3', L: '1', XL: '6' }), theirs)).toEqual([
      'S:1 M:3 XL:6 XS:4',
      'sizes',
    ]);
    // Its stock was changed here: nothing typed is lost.
    expect(after(sized({ S: '2', M: '3', L: '9' }), theirs)).toEqual(['S:1 M:3 L:9 XS:4', 'sizes']);
  });

  test('made here of a stock that moved, or made elsewhere, they are asked about', () => {
    expect(after(sized({ S: '2', M: '3' }), { ...base, stock: '4' }, base)).toEqual([
      'S:2 M:3',
      'sizes',
    ]);
    expect(after(sized({ S: '2', M: '3' }), base, base)).toEqual(['S:2 M:3']);
    expect(after(base, had, base)).toEqual(['S:2 M:3 L:1', 'sizes']);
    const typed = { ...base, stock: '9' };
    expect(rebaseForm(base, typed, had)).toMatchObject({
      form: typed,
      changed: { stock: expect.any(String) as string },
    });
  });

  test('given up here, the one stock that is left counts as a change', () => {
    const { form, changed } = rebaseForm(
      had,
      { ...base, stock: '7' },
      sized({ S: '1', M: '3', L: '1' }),
    );
    expect([form.stock, form.sizes, changed]).toEqual(['6', [], {}]);
  });
});
