import { afterAll, describe, expect, test } from 'vitest';
import { one } from '../support/database.ts';
import {
  insertProduct,
  readProduct,
  saveProduct,
  type AdminProductRow,
} from './admin-catalogue.ts';
import { createDatabase } from '../support/postgres.ts';
import { addShopper, place, sizesOf } from '../support/shop-rows.ts';

const database = await createDatabase();
afterAll(() => database.close());

const addRing = async (sizes: { size: string; stock: number }[] = []): Promise<AdminProductRow> =>
  (await insertProduct(database, { sizes })).product;
const versionNow = async (): Promise<number> =>
  (await one<{ version: number }>(database, 'select version::int from public.catalogue_version'))
    .version;

describe('an edit of sizes', () => {
  const sizes = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([size, stock]) => ({ size, stock }));
  const addSized = () => addRing(sizes({ S: 2, M: 3, L: 1 }));
  const sell = async (id: string, size?: string): Promise<void> => {
    const line = { product_id: id, quantity: 1, ...(size === undefined ? {} : { size }) };
    expect((await place(database, await addShopper(database), [line])).outcome).toBe('placed');
  };

  test('stores their stock, their order and the sum', async () => {
    const seen = await addSized();
    expect(await sizesOf(database, seen.id)).toBe('S:2 M:3 L:1 = 6');
    const saved = await saveProduct(database, seen, { sizes: sizes({ XL: 4, M: 5, S: 2 }) });
    expect(saved).toMatchObject({ outcome: 'saved', product: { stock: 11 } });
    expect(await sizesOf(database, seen.id)).toBe('XL:4 M:5 S:2 = 11');
  });

  test('keeps what was sold of a size that it leaves alone, and is refused for one that it changes or takes away', async () => {
    const seen = await addSized();
    await sell(seen.id, 'M');
    const edit = (counts: Readonly<Record<string, number>>) =>
      saveProduct(database, seen, { sizes: sizes(counts) });
    expect(await edit({ S: 2, M: 4, L: 1 })).toMatchObject({
      outcome: 'changed',
      fields_changed: false,
      stock_changed: true,
      product: { stock: 5 },
    });
    expect((await edit({ S: 2, L: 1 })).outcome).toBe('changed');
    expect((await edit({})).outcome).toBe('changed');
    expect(await sizesOf(database, seen.id)).toBe('S:2 M:2 L:1 = 5');
    expect((await edit({ S: 9, M: 3, L: 1 })).outcome).toBe('saved');
    expect(await sizesOf(database, seen.id)).toBe('S:9 M:2 L:1 = 12');
  });

  test('turns them on and off, unless something was sold meanwhile', async () => {
    const plain = await addRing();
    await sell(plain.id);
    expect((await saveProduct(database, plain, { sizes: sizes({ S: 4 }) })).outcome).toBe(
      'changed',
    );
    const on = await saveProduct(database, await readProduct(database, plain.id), {
      sizes: sizes({ S: 4 }),
    });
    expect(on).toMatchObject({ outcome: 'saved', product: { stock: 4 } });
    expect(await saveProduct(database, on.product, { sizes: [], stock: 7 })).toMatchObject({
      outcome: 'saved',
      product: { stock: 7, sizes: [] },
    });
  });

  test('is none when sizes are not said: they stay, and the sum alone cannot be written', async () => {
    const seen = await addSized();
    await sell(seen.id, 'S');
    expect(await saveProduct(database, seen, { name: 'Temple ring' })).toMatchObject({
      outcome: 'saved',
      product: { name: 'Temple ring' },
    });
    expect(await sizesOf(database, seen.id)).toBe('S:1 M:3 L:1 = 5');
    const now = await readProduct(database, seen.id);
    await expect(saveProduct(database, now, { stock: 9 })).rejects.toThrow(/by size/u);
  });

  test('is a change of the page when there are other sizes, not when only their stock moved', async () => {
    const seen = await addSized();
    const before = await versionNow();
    const { product } = await saveProduct(database, seen, { sizes: sizes({ S: 5, M: 3, L: 1 }) });
    await saveProduct(database, product, { sizes: sizes({ S: 5, M: 3, L: 1 }) });
    expect(product.updated_at).toBe(seen.updated_at);
    const named = await versionNow();
    await database.query(
      `update public.products set sizes = '[{"size":"S","stock":9},{"size":"M","stock":3},{"size":"L","stock":1}]' where id = $1`,
      seen.id,
    );
    expect(await versionNow()).toBe(named);
    await database.query(
      `update public.products set sizes = '[{"size":"M","stock":3}]' where id = $1`,
      seen.id,
    );
    expect([named, await versionNow()]).toEqual([before, before + 1]);
  });
});
