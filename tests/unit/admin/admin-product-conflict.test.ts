import { describe, expect, test } from 'vitest';
import {
  findConflicts,
  resolveConflicts,
  sameForm,
} from '../../../src/domain/admin/products/product-conflict.ts';
import {
  emptyProductForm,
  type ProductForm,
} from '../../../src/domain/admin/products/product-form.ts';

const base: ProductForm = {
  ...emptyProductForm,
  name: 'Mala',
  price: '499',
  category: 'necklaces',
  stock: '5',
  images: ['products/a.webp'],
  imageAlts: ['front'],
};

describe('a product that changed while it was edited', () => {
  test('says how many were sold, and what the owner typed', () => {
    const [conflict, ...others] = findConflicts(
      base,
      { ...base, stock: '5', price: '450' },
      { ...base, stock: '3' },
    );
    expect(conflict?.message).toBe('2 sold while you were editing: stock is 3');
    expect(others).toEqual([]);
    const [typed] = findConflicts(
      { ...base, stock: '5' },
      { ...base, stock: '6' },
      { ...base, stock: '3' },
    );
    expect(typed).toMatchObject({
      kind: 'both',
      message: '2 sold while you were editing: stock is 3, you typed 6',
    });
  });

  test('products that came back are not called sold', () => {
    expect(findConflicts(base, { ...base, stock: '9' }, { ...base, stock: '6' })[0]?.message).toBe(
      '1 came back while you were editing: stock is 6, you typed 9',
    );
  });

  test('stock that both changed can be counted together, unless that is one of the two numbers or below none', () => {
    const sum = (had: string, typed: string, now: string) => {
      const [conflict] = findConflicts(
        { ...base, stock: had },
        { ...base, stock: typed },
        { ...base, stock: now },
      );
      return conflict?.sum;
    };
    expect(sum('6', '10', '5')).toEqual({ value: '9', how: '6 − 1 + 4' });
    expect(sum('6', '1,010', '8')).toEqual({ value: '1012', how: '6 + 2 + 1004' });
    expect(sum('', '4', '2')).toEqual({ value: '6', how: '0 + 2 + 4' });
    expect(sum('6', '0', '1')).toBeNull();
    expect(sum('6', 'many', '5')).toBeNull();
    expect(sum('6', '6', '5')).toBeNull();
    const mine = { ...base, stock: '9' };
    const theirs = { ...base, stock: '3' };
    expect(
      resolveConflicts(mine, theirs, findConflicts(base, mine, theirs), { stock: 'sum' }).stock,
    ).toBe('7');
  });

  test('a field that only the owner changed, or both changed alike, is no conflict', () => {
    expect(findConflicts(base, { ...base, name: 'Palakka Mala' }, base)).toEqual([]);
    expect(findConflicts(base, { ...base, price: '450 ' }, { ...base, price: '450' })).toEqual([]);
    expect(
      findConflicts({ ...base, stock: '' }, { ...base, stock: '0' }, { ...base, stock: '0' }),
    ).toEqual([]);
  });

  test('images are compared as a whole', () => {
    const theirs = {
      ...base,
      images: ['products/b.webp', 'products/a.webp'],
      imageAlts: ['back', 'front'],
    };
    expect(findConflicts(base, base, theirs).map(({ field, kind }) => [field, kind])).toEqual([
      ['images', 'theirs'],
      ['imageAlts', 'theirs'],
    ]);
  });

  test('the choice decides each field for itself, and what nobody else touched stays as typed', () => {
    const mine = { ...base, name: 'My Mala', price: '450', stock: '9', metal: 'Brass' };
    const theirs = { ...base, name: 'Their Mala', price: '399', stock: '3' };
    const resolved = resolveConflicts(mine, theirs, findConflicts(base, mine, theirs), {
      price: 'mine',
    });
    expect(resolved).toEqual({ ...mine, name: 'Their Mala', price: '450', stock: '3' });
  });

  test('surrounding spaces make no other form', () => {
    expect(sameForm(base, { ...base, name: ' Mala ' })).toBe(true);
    expect(sameForm(base, { ...base, imageAlts: ['back'] })).toBe(false);
  });
});

describe('sizes whose stock moved while they were edited', () => {
  const form = (
    sizes: Readonly<Record<string, string>>,
    changes: Partial<ProductForm> = {},
  ): ProductForm => ({
    ...base,
    stock: '',
    sizes: Object.entries(sizes).map(([size, stock]) => ({ size, stock })),
    ...changes,
  });
  const had = form({ S: '2', M: '3', L: '1' });

  test('are listed one by one; sizes that the admin did not change follow the shop', () => {
    const [mine, theirs] = [form({ S: '5', M: '3', L: '4' }), form({ S: '1', M: '2', L: '1' })];
    const conflicts = findConflicts(had, mine, theirs);
    expect(conflicts.map(({ message, kind }) => [kind, message])).toEqual([
      ['both', 'Size S: 1 sold while you were editing: stock is 1, you typed 5'],
      ['theirs', 'Size M: 1 sold while you were editing: stock is 2'],
    ]);
    const stocks = (choices: Readonly<Record<string, 'mine' | 'theirs' | 'sum'>>) =>
      resolveConflicts(mine, theirs, conflicts, choices)
        .sizes.map(({ size, stock }) => `${size}:${stock}`)
        .join(' ');
    expect(stocks({ 'size S': 'mine' })).toBe('S:5 M:2 L:4');
    expect(stocks({ 'size S': 'theirs' })).toBe('S:1 M:2 L:4');
    expect(stocks({ 'size S': 'sum' })).toBe('S:4 M:2 L:4');
  });

  test('may be removed or new on either side', () => {
    const mine = form({ S: '2', XL: '6' });
    const theirs = form({ S: '2', M: '2', L: '1', XS: '4' });
    const conflicts = findConflicts(had, mine, theirs);
    expect(conflicts.map(({ message, kind }) => [kind, message])).toEqual([
      ['both', 'Size M: 1 sold while you were editing: stock is 2, you removed it'],
      ['theirs', 'Size XS: 4 came back while you were editing: stock is 4'],
    ]);
    const names = (choice: 'mine' | 'theirs') =>
      resolveConflicts(mine, theirs, conflicts, { 'size M': choice }).sizes.map(({ size }) => size);
    expect(names('mine')).toEqual(['S', 'XL', 'XS']);
    expect(names('theirs')).toEqual(['S', 'XL', 'M', 'XS']);
  });

  test('were one stock when the form was opened: sales in the meantime are reported', () => {
    const [mine, theirs] = [form({ S: '2', M: '3' }), { ...base, stock: '4' }];
    const conflicts = findConflicts(base, mine, theirs);
    expect(conflicts).toMatchObject([
      { key: 'stock', kind: 'both', mine: 'S: 2, M: 3', theirs: '4, without sizes' },
    ]);
    expect(resolveConflicts(mine, theirs, conflicts, { stock: 'mine' })).toEqual(mine);
    expect(resolveConflicts(mine, theirs, conflicts, { stock: 'theirs' })).toMatchObject({
      stock: '4',
      sizes: [],
    });
  });
});
