import { beforeEach, describe, expect, test } from 'vitest';
import type { ShopDatabase, AdminProductRow } from '#tests/database/support/shop-database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';

const database = await useDatabase();
beforeEach(() =>
  database.run(
    'delete from public.outbox; delete from public.payments; delete from public.orders; delete from public.products; delete from public.product_changes',
  ),
);

const add = async (
  fields: Parameters<ShopDatabase['insertProduct']>[0] = {},
): Promise<AdminProductRow> => (await database.insertProduct(fields)).product;
const setHidden = async (id: string, hidden: boolean) =>
  database.saveProduct(await database.readProduct(id), { hidden });
const buy = async (id: string) =>
  database.place(await database.addCustomer(), [{ product_id: id, quantity: 1 }]);
const seenByVisitors = async (): Promise<unknown[]> =>
  (await database.as({ role: 'anon' }, 'select name from public.products order by name')).map(
    ({ name }) => name,
  );
const versionNow = (): Promise<number> =>
  database.value('select version::int from public.catalogue_version');
const withdrawn = (live: number): Promise<string[]> =>
  database.column('select public.withdrawn_products($1, 10)', live);
const endDeleted = (limit = 50): Promise<number> =>
  database.value('select public.end_deleted_products($1)', limit);
const deletedDaysAgo = (id: string, days: number): Promise<unknown> =>
  database.query(
    'update public.products set deleted_at = now() - make_interval(days => $2) where id = $1',
    id,
    days,
  );

describe('a hidden product', () => {
  test('is seen and bought by nobody, and by everybody once it is shown', async () => {
    await add({ name: 'Shown' });
    const { id } = await add({ name: 'Draft', hidden: true });
    expect(await seenByVisitors()).toEqual(['Shown']);
    expect(await buy(id)).toMatchObject({ outcome: 'unknown_product', product_ids: [id] });
    expect(await setHidden(id, false)).toMatchObject({
      outcome: 'saved',
      visibility_changed: true,
    });
    expect(await seenByVisitors()).toEqual(['Draft', 'Shown']);
    expect(await buy(id)).toMatchObject({ outcome: 'placed' });
  });
});

describe('a deleted product', () => {
  test('disappears at once for everyone', async () => {
    const { id } = await add();
    const live = await versionNow();
    expect([await database.deleteProduct(id), await database.deleteProduct(id)]).toEqual([
      true,
      false,
    ]);
    expect([await seenByVisitors(), await database.readProduct(id), await withdrawn(live)]).toEqual(
      [[], null, [id]],
    );
    expect(await buy(id)).toMatchObject({ outcome: 'unknown_product' });
    expect((await database.insertProduct({}, id)).outcome).toBe('deleted');
  });

  test('is restored as it was, with stock that was returned in the meantime', async () => {
    const before = await add({ stock: 5 });
    const order = await database.placeOpen(await database.addCustomer(), [
      { product_id: before.id, quantity: 2 },
    ]);
    await setHidden(before.id, true);
    await database.deleteProduct(before.id);
    await database.release(order.id);
    expect(await database.restoreProduct(before.id)).toMatchObject({
      name: before.name,
      stock: 5,
      hidden: true,
      deleted_at: null,
    });
    await setHidden(before.id, false);
    expect(await buy(before.id)).toMatchObject({ outcome: 'placed' });
  });

  test('is deleted permanently after 30 days, and cannot be restored then', async () => {
    const [old, recent, kept] = [await add(), await add(), await add()];
    for (const { id } of [old, recent]) await database.deleteProduct(id);
    await deletedDaysAgo(old.id, 31);
    await deletedDaysAgo(recent.id, 29);
    const version = await versionNow();
    expect([await endDeleted(0), await endDeleted(), await endDeleted()]).toEqual([0, 1, 0]);
    expect(await database.restoreProduct(old.id)).toBeNull();
    expect(await database.restoreProduct(recent.id)).toMatchObject({ id: recent.id });
    expect(await database.readProduct(kept.id)).toMatchObject({ id: kept.id });
    // Its end is no change of the pages: it went from them when it was deleted.
    expect(await versionNow()).toBe(version + 1);
  });

  test('does not take the payment that came too late', async () => {
    const { id } = await add({ stock: 5 });
    const order = await database.openOrder(id);
    await database.release(order.id);
    await database.deleteProduct(id);
    expect(await database.markPaid(order)).toBe('refund_due');
  });
});
