import { describe, expect, test, vi } from 'vitest';
import { fileOf, readFile } from '../../../../../tests/features/csv-file/read-file.ts';

vi.mock('../../../../shop/categories.ts', async () => ({
  categories: (await import('../../../../../tests/sample-categories.ts')).sampleCategories,
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

  test('is read: the category is in the name, and the units of its choices are asked for', () => {
    const { source, plan, leftOut } = readFile(
      fileOf([
        listing,
        { ...listing, TITLE: 'Ring', 'VARIATION 1 VALUES': '12,14', 'VARIATION 2 VALUES': 'Gold' },
        { ...listing, TITLE: 'Abroad', CURRENCY_CODE: 'USD' },
      ]),
      { uncountedUnits: '2' },
    );
    expect(source).toBe('Etsy');
    expect(leftOut).toMatchObject([{ row: 4, why: 'Its price is in USD, not in rupees' }]);
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
    ]);
  });
});
