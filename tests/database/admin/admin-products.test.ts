import { beforeEach, describe, expect, test } from 'vitest';
import type { AdminProductRow } from '#tests/database/support/shop-database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { eachRow } from '#tests/each-row.ts';

const database = await useDatabase();
beforeEach(() =>
  database.run(
    'delete from public.orders; delete from public.products; delete from public.product_changes',
  ),
);

const addRing = async (fields = {}): Promise<AdminProductRow> =>
  (await database.insertProduct(fields)).product;

describe('a new product', () => {
  test('is stored with its money in rupees', async () => {
    const { outcome, product } = await database.insertProduct({ offerPrice: 99_905 });
    expect(outcome).toBe('created');
    expect(product).toMatchObject({
      name: 'Lotus ring',
      price: 1234.5,
      offerPrice: 999.05,
      stock: 10,
      images: ['products/a.webp'],
    });
  });

  test('sent twice is there once, as it was sent first', async () => {
    const id = crypto.randomUUID();
    await database.insertProduct({}, id);
    const again = await database.insertProduct({ name: 'Another' }, id);
    expect(again).toMatchObject({ outcome: 'exists', product: { id, name: 'Lotus ring' } });
    expect(await database.query('select 1 from public.products')).toHaveLength(1);
  });
});

describe('an edit', () => {
  const sell = async (product: AdminProductRow, quantity = 1): Promise<void> => {
    const { outcome } = await database.place(await database.addCustomer(), [
      { product_id: product.id, quantity },
    ]);
    expect(outcome).toBe('placed');
  };

  test('that leaves the stock alone keeps what was sold meanwhile', async () => {
    const seen = await addRing();
    await sell(seen, 3);
    const saved = await database.saveProduct(seen, { description: 'New words' });
    expect(saved).toMatchObject({
      outcome: 'saved',
      product: { stock: 7, description: 'New words' },
    });
  });

  test('an edit of a stock that moved meanwhile is refused, and nothing is written', async () => {
    const seen = await addRing();
    await sell(seen, 3);
    const refused = await database.saveProduct(seen, { stock: 20, description: 'New words' });
    expect(refused).toMatchObject({
      outcome: 'changed',
      fields_changed: false,
      stock_changed: true,
      product: { stock: 7 },
    });
    expect(await database.readProduct(seen.id)).toMatchObject({
      stock: 7,
      description: 'Gold-plated brass',
    });
  });

  test('over another edit is refused, even where both say the same', async () => {
    const seen = await addRing();
    await database.saveProduct(seen, { name: 'From the phone' });
    const refused = await database.saveProduct(seen, { name: 'From the phone' });
    expect(refused).toMatchObject({
      outcome: 'changed',
      fields_changed: true,
      stock_changed: false,
    });
  });

  test('says so when the stock moved besides other fields: the form must not write its old figure', async () => {
    const seen = await addRing();
    await database.saveProduct(seen, { name: 'From the phone' });
    await sell(seen, 2);
    expect(await database.saveProduct(seen, { name: 'From the desk' })).toMatchObject({
      outcome: 'changed',
      fields_changed: true,
      stock_changed: true,
      product: { stock: 8 },
    });
  });

  test('an edit of a product that is gone says that it is gone', async () => {
    const seen = await addRing();
    await database.deleteProduct(seen.id);
    expect(await database.saveProduct(seen)).toEqual({ outcome: 'missing' });
  });
});

describe('images', () => {
  const unused = async (): Promise<string[]> =>
    (await database.column<string>('select public.unused_pictures(50)')).sort();
  const age = (): Promise<unknown> =>
    database.run(
      `update public.pictures set uploaded_at = uploaded_at - interval '2 days', dropped_at = dropped_at - interval '2 days'`,
    );
  beforeEach(() => database.run('delete from public.pictures'));

  test('that a product let go are unused, once a while has passed', async () => {
    const seen = await addRing({
      images: ['products/old.webp', 'products/kept.webp', 'https://elsewhere.example/a.jpg'],
    });
    await database.saveProduct(seen, { images: ['products/kept.webp', 'products/new.webp'] });
    expect(await unused()).toEqual([]);
    await age();
    expect(await unused()).toEqual(['products/old.webp']);
  });

  test('images of a deleted product are unused once it is gone for good, but for one that another product or an order shows', async () => {
    const seen = await addRing({
      images: ['products/ordered.webp', 'products/shared.webp', 'products/own.webp'],
    });
    await addRing({ images: ['products/shared.webp'] });
    await database.place(await database.addCustomer(), [{ product_id: seen.id, quantity: 1 }]);
    await database.deleteProduct(seen.id);
    await age();
    // It can still be brought back.
    expect(await unused()).toEqual([]);
    await database.run(
      `update public.products set deleted_at = now() - interval '31 days' where deleted_at is not null`,
    );
    await database.query('select public.end_deleted_products(50)');
    await age();
    expect(await unused()).toEqual(['products/own.webp']);
  });

  test('that were uploaded and never saved are unused after a day', async () => {
    await database.run(`insert into public.pictures (path) values ('products/forgotten.webp')`);
    await database.run(
      `insert into public.pictures (path, uploaded_at) values ('products/older.webp', now() - interval '25 hours')`,
    );
    expect(await unused()).toEqual(['products/older.webp']);
  });

  test('put back on a product are in use again', async () => {
    const seen = await addRing({ images: ['products/a.webp', 'products/b.webp'] });
    const { product } = await database.saveProduct(seen, { images: [] });
    await database.saveProduct(product, { images: ['products/a.webp'] });
    await age();
    expect(await unused()).toEqual(['products/b.webp']);
  });
});

describe('the list', () => {
  const list = async (values: Record<string, unknown>): Promise<string> => {
    const asked = {
      search: '',
      category: null,
      stock: 'all',
      show: 'all',
      sort: 'name',
      offset: 0,
    };
    const { search, category, stock, show, sort, offset } = { ...asked, ...values };
    const { total, products } = await database.value<{
      total: number;
      products: AdminProductRow[];
    }>(
      'select public.admin_products($1, $2, $3, $4, 5, $5, $6, 3)',
      ...[search, category, stock, show, sort, offset],
    );
    return `${String(total)}: ${products.map(({ name }) => name).join(', ')}`;
  };

  test('is searched as plain text, filtered, sorted and paged', async () => {
    await addRing({ name: '100% silver', price: 300, stock: 0 });
    await addRing({ name: 'Silver RING', price: 200, offerPrice: 100, stock: 4 });
    await addRing({
      name: 'anklet',
      description: 'a \\',
      category: 'bracelets',
      price: 250,
      stock: 5,
    });
    await addRing({ name: 'draft', stock: 0, hidden: true });
    await database.deleteProduct((await addRing({ name: 'gone', stock: 1 })).id);
    await eachRow(
      [
        [{}, '4: 100% silver, anklet, draft'],
        [{ offset: 3 }, '4: Silver RING'],
        [{ offset: 90 }, '4: '],
        [{ search: ' SILVER ' }, '2: 100% silver, Silver RING'],
        [{ search: '%' }, '1: 100% silver'],
        [{ search: '_' }, '0: '],
        [{ search: '\\' }, '1: anklet'],
        [{ search: 'bracel' }, '1: anklet'],
        [{ category: 'bracelets' }, '1: anklet'],
        [{ stock: 'low' }, '1: Silver RING'],
        [{ stock: 'out' }, '1: 100% silver'],
        [{ show: 'hidden' }, '1: draft'],
        [{ show: 'deleted' }, '1: gone'],
        [{ show: 'visible', sort: 'price' }, '3: Silver RING, anklet, 100% silver'],
        [{ show: 'visible', sort: 'stock' }, '3: 100% silver, Silver RING, anklet'],
        [{ show: 'visible', sort: 'newest' }, '3: anklet, Silver RING, 100% silver'],
      ],
      async ([values, found]) => {
        expect(await list(values)).toBe(found);
      },
    );
  });
});
