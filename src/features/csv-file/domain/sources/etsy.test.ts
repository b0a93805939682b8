import { describe, expect, test, vi } from 'vitest';
import { fileOf, readFile } from '#tests/features/csv-file/read-file.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

describe('Etsy', () => {
  const listing = {
    TITLE: 'Bell Earrings &amp; Studs, Brass',
    DESCRIPTION: 'Light &quot;bells&quot;.',
    PRICE: '1299.00',
    CURRENCY_CODE: 'INR',
    QUANTITY: '4',
    MATERIALS: 'Brass,Enamel',
    IMAGE1: 'https://i.etsystatic.com/1.jpg',
    IMAGE2: '',
    'VARIATION 1 VALUES': '',
    'VARIATION 2 VALUES': '',
    SKU: '',
  };

  test('is read: the category in the name is a guess, and the units of its choices are asked for', () => {
    const text = fileOf([
      listing,
      { ...listing, TITLE: 'Ring', 'VARIATION 1 VALUES': '12,14', 'VARIATION 2 VALUES': 'Gold' },
      { ...listing, TITLE: 'Ring', CURRENCY_CODE: 'USD', PRICE: '10.00' },
    ]);
    const first = readFile(text, { uncountedUnits: '' });
    expect([first.source, first.open]).toEqual(['Etsy', 3]);
    expect(first.unknown).toEqual([
      { name: '“bell earring” in the name', guess: 'earrings', count: 1 },
    ]);
    const categories = new Map([['“bell earring” in the name', 'earrings']]);
    const { plan } = readFile(text, {
      categories,
      uncountedUnits: '2',
      rates: new Map([['USD', '83.456']]),
    });
    expect(plan.added).toMatchObject([
      {
        product: {
          name: 'Bell Earrings & Studs, Brass',
          description: 'Light "bells".',
          category: 'earrings',
          stock: 4,
          attributes: { metal: 'Brass, Enamel' },
        },
      },
      {
        product: {
          category: 'rings',
          sizes: [
            { size: '12 / Gold', stock: 2 },
            { size: '14 / Gold', stock: 2 },
          ],
        },
      },
      { product: { name: 'Ring', price: 83_500 } },
    ]);
  });

  test('has each listing of one title or SKU as a product, always the same ones', () => {
    for (const SKU of ['', 'R1']) {
      const thrice = fileOf([
        { ...listing, TITLE: 'Ring', SKU },
        { ...listing, TITLE: 'Ring', SKU, PRICE: '999.00' },
        { ...listing, TITLE: 'Ring', SKU, PRICE: '899.00' },
      ]);
      const { plan } = readFile(thrice);
      expect(plan.faults).toEqual([]);
      expect(plan.added.map(({ id }) => id)).toEqual(
        SKU === '' ? ['Ring', 'Ring (2)', 'Ring (3)'] : ['R1', 'R1 (2)', 'R1 (3)'],
      );
    }
  });
});
