import { describe, expect, test } from 'vitest';
import type { AdminProductRow } from '#tests/database/support/shop-database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';

const database = await useDatabase();

const addRing = async (sizes: { size: string; stock: number }[] = []): Promise<AdminProductRow> =>
  (await database.insertProduct({ sizes })).product;

describe('an edit of sizes', () => {
  const sizes = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([size, stock]) => ({ size, stock }));
  const addSized = () => addRing(sizes({ S: 2, M: 3, L: 1 }));
  const sell = async (id: string, size?: string): Promise<void> => {
    const line = { product_id: id, quantity: 1, ...(size === undefined ? {} : { size }) };
    expect((await database.place(await database.addCustomer(), [line])).outcome).toBe('placed');
  };

  test('stores their stock, their order and the sum', async () => {
    const seen = await addSized();
    expect(await database.sizesOf(seen.id)).toBe('S:2 M:3 L:1 = 6');
    const saved = await database.saveProduct(seen, { sizes: sizes({ XL: 4, M: 5, S: 2 }) });
    expect(saved).toMatchObject({ outcome: 'saved', product: { stock: 11 } });
    expect(await database.sizesOf(seen.id)).toBe('XL:4 M:5 S:2 = 11');
  });

  test('keeps what was sold of a size that it leaves alone, and is refused for one that it changes or takes away', async () => {
    const seen = await addSized();
    await sell(seen.id, 'M');
    const edit = (counts: Readonly<Record<string, number>>) =>
      database.saveProduct(seen, { sizes: sizes(counts) });
    expect(await edit({ S: 2, M: 4, L: 1 })).toMatchObject({
      outcome: 'changed',
      fields_changed: false,
      stock_changed: true,
      product: { stock: 5 },
    });
    expect((await edit({ S: 2, L: 1 })).outcome).toBe('changed');
    expect((await edit({})).outcome).toBe('changed');
    expect(await database.sizesOf(seen.id)).toBe('S:2 M:2 L:1 = 5');
    expect((await edit({ S: 9, M: 3, L: 1 })).outcome).toBe('saved');
    expect(await database.sizesOf(seen.id)).toBe('S:9 M:2 L:1 = 12');
  });

  test('turns them on and off, unless something was sold in the meantime', async () => {
    const plain = await addRing();
    await sell(plain.id);
    expect((await database.saveProduct(plain, { sizes: sizes({ S: 4 }) })).outcome).toBe('changed');
    const on = await database.saveProduct(await database.readProduct(plain.id), {
      sizes: sizes({ S: 4 }),
    });
    expect(on).toMatchObject({ outcome: 'saved', product: { stock: 4 } });
    expect(await database.saveProduct(on.product, { sizes: [], stock: 7 })).toMatchObject({
      outcome: 'saved',
      product: { stock: 7, sizes: [] },
    });
  });

  test('is none when sizes are not given: they stay, and the sum alone cannot be written', async () => {
    const seen = await addSized();
    await sell(seen.id, 'S');
    expect(await database.saveProduct(seen, { name: 'Temple ring' })).toMatchObject({
      outcome: 'saved',
      product: { name: 'Temple ring' },
    });
    expect(await database.sizesOf(seen.id)).toBe('S:1 M:3 L:1 = 5');
    const now = await database.readProduct(seen.id);
    await expect(database.saveProduct(now, { stock: 9 })).rejects.toThrow(/by size/u);
  });
});
