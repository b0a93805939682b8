import { beforeEach, describe, expect, test } from 'vitest';
import type { AdminProductRow } from '#tests/database/support/shop-database.ts';
import { eachRow } from '#tests/each-row.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';

const database = await useDatabase();
let live = 0;
beforeEach(async () => {
  await database.run(
    'delete from public.builds; delete from public.products; delete from public.product_changes',
  );
  live = (await database.unpublished(0)).version;
});

const addRing = async (fields = {}): Promise<AdminProductRow> =>
  (await database.insertProduct(fields)).product;
const change = (): Promise<unknown> => addRing();
const versionNow = (): Promise<number> =>
  database.value('select version::int from public.catalogue_version');
const last = (): Promise<Record<string, unknown>> =>
  database.one(
    'select state, requested_by, deploy_id, reason from public.builds order by id desc limit 1',
  );
const pass = (minutes: number): Promise<unknown> =>
  database.run(`update public.builds set requested_at = requested_at - interval '${String(minutes)} minutes',
    started_at = started_at - interval '${String(minutes)} minutes', finished_at = finished_at - interval '${String(minutes)} minutes';
    update public.product_changes set at = at - interval '${String(minutes)} minutes'`);

describe('changes that wait to be published', () => {
  test('is every edit after the version of the build, one entry a product, newest first', async () => {
    const [first, second] = [await addRing({ name: 'First' }), await addRing({ name: 'Second' })];
    const live = await versionNow();
    expect(await database.unpublished(live)).toMatchObject({ count: 0, changes: [] });
    const { product } = await database.saveProduct(first, { name: 'First, edited' });
    await database.saveProduct(product, { name: 'First, edited again' });
    await database.deleteProduct(second.id);
    const third = await addRing({ name: 'Third' });
    const { count, changes, version } = await database.unpublished(live);
    expect(changes.map(({ productId, kind, name }) => [productId, kind, name])).toEqual([
      [third.id, 'added', 'Third'],
      [second.id, 'deleted', 'Second'],
      [first.id, 'changed', 'First, edited again'],
    ]);
    expect([count, version]).toEqual([3, await versionNow()]);
    expect((await database.unpublished(live, 1)).changes).toHaveLength(1);
    expect((await database.unpublished(version)).count).toBe(0);
  });

  test('is what pages show, and is to be built unless pages read it live or nobody sees the product', () =>
    eachRow(
      [
        ...[
          `description = 'New'`,
          `category = 'anklets'`,
          `images = '{products/new.webp}'`,
          `image_alts = '{New}'`,
          `attributes = '{"metal": "Brass"}'`,
          'featured = 1',
          `sizes = '[{"size": "14", "stock": 10}]'`,
        ].map((edit) => [[edit], { kind: 'changed', needsBuild: true }] as const),
        [['price = 2000'], { kind: 'changed', needsBuild: false }],
        [['"offerPrice" = 900'], { kind: 'changed', needsBuild: false }],
        [['hidden = true'], { kind: 'hidden', needsBuild: false }],
        [[`name = 'New'`, 'hidden = true'], { kind: 'hidden', needsBuild: false }],
        [
          ['hidden = true', `name = 'New'`, 'hidden = false'],
          { kind: 'changed', needsBuild: true },
        ],
        [['deleted_at = now()'], { kind: 'deleted', needsBuild: false }],
      ],
      async ([edits, expected]) => {
        const { id } = await addRing();
        const live = await versionNow();
        for (const edit of edits)
          await database.query(`update public.products set ${edit} where id = $1`, id);
        expect((await database.unpublished(live)).changes).toMatchObject([
          { productId: id, ...expected },
        ]);
      },
    ));

  test('is no product that was added and deleted since', async () => {
    await database.deleteProduct((await addRing()).id);
    expect(await database.unpublished(live)).toMatchObject({ count: 0, changes: [] });
  });

  test('is not stock: pages read that live', async () => {
    const product = await addRing();
    const live = await versionNow();
    await database.place(await database.addCustomer(), [{ product_id: product.id, quantity: 1 }]);
    const seen = await database.readProduct(product.id);
    await database.saveProduct(seen, { stock: 50 });
    expect(await versionNow()).toBe(live);
  });
});

describe('a build by itself', () => {
  test('is requested when changes have waited, and not before', async () => {
    expect(await database.requestBuild('auto', live)).toBeNull();
    await change();
    expect(await database.requestBuild('auto', live, 60)).toBeNull();
    await pass(2);
    expect(await database.requestBuild('auto', live, 60)).not.toBeNull();
  });

  test.each(['requested here', 'of a push'])(
    'is not requested while one %s is under way, and is when that has no result for 15 minutes',
    async (kind) => {
      await change();
      if (kind === 'requested here') {
        await database.requestBuild('auto', live);
        await change();
        expect(await database.requestBuild('auto', live)).toBeNull();
      }
      await database.recordDeploy('d1', 'building');
      expect(await database.requestBuild('auto', live)).toBeNull();
      await pass(16);
      expect(await database.requestBuild('auto', live)).not.toBeNull();
    },
  );

  test('is delayed once by reports, however often they come, and not stopped by reported failures', async () => {
    await change();
    for (const round of [1, 2, 3]) {
      await database.recordDeploy(`failed-${String(round)}`, 'failed', 'Forged');
      await database.recordDeploy(`building-${String(round)}`, 'building');
      await pass(10);
    }
    expect(await database.requestBuild('auto', live)).not.toBeNull();
  });

  test('is not requested for what customers see without one: prices, hidden and deleted products', async () => {
    const { id: ring } = (await database.insertProduct()).product;
    const { id: chain } = (await database.insertProduct()).product;
    const { version } = await database.unpublished(0);
    await database.run(
      `update public.products set price = 1200, "offerPrice" = 1100 where id = '${ring}';
       update public.products set name = 'Chain', hidden = true where id = '${chain}'`,
    );
    expect(await database.unpublished(version)).toMatchObject({ count: 2, to_build: 0 });
    expect(await database.requestBuild('auto', version)).toBeNull();
    await database.run(
      `update public.products set price = 1300, name = 'Ring' where id = '${ring}'`,
    );
    expect(await database.unpublished(version)).toMatchObject({ count: 2, to_build: 1 });
    expect(await database.requestBuild('auto', version)).not.toBeNull();
  });

  test('is not requested again because someone claims that it is live: the live site decides that', async () => {
    await change();
    await database.requestBuild('auto', live);
    await database.recordDeploy('forged', 'published');
    expect(await database.requestBuild('auto', live)).toBeNull();
    const { version } = await database.unpublished(0);
    await change();
    expect(await database.requestBuild('auto', version)).not.toBeNull();
  });

  test('that fails is tried three times half an hour apart, and at once after a newer change', async () => {
    await change();
    let tries = 0;
    for (let round = 0; round < 40; round += 1) {
      const id = await database.requestBuild('auto', live);
      if (id !== null) {
        tries += 1;
        await database.recordDeploy(`d${String(round)}`, 'failed', 'No luck');
        expect(await database.requestBuild('auto', live)).toBeNull();
      }
      await pass(10);
    }
    expect(tries).toBe(3);
    await change();
    expect(await database.requestBuild('auto', live)).not.toBeNull();
  });
});

describe('Publish now', () => {
  test('pressed twice asks once, and again for what was changed since', async () => {
    await change();
    expect(await database.requestBuild('admin', live)).not.toBeNull();
    expect(await database.requestBuild('admin', live)).toBeNull();
    await database.recordDeploy('d1', 'building');
    await change();
    expect(await database.requestBuild('admin', live)).not.toBeNull();
  });

  test('asks for nothing when everything is live, unless the last build failed', async () => {
    await change();
    const { version } = await database.unpublished(0);
    expect(await database.requestBuild('admin', version)).toBeNull();
    await database.recordDeploy('push', 'failed', 'No luck');
    expect(await database.requestBuild('admin', version)).not.toBeNull();
  });

  test('works whatever is reported: a report of a deploy carries no proof', async () => {
    await change();
    await database.recordDeploy('push', 'building');
    expect(await database.requestBuild('admin', live)).not.toBeNull();
  });
});

describe('the platform’s word', () => {
  test('goes to the requested build, from building to its end; what comes late or twice changes nothing', async () => {
    await change();
    const id = await database.requestBuild('admin', live);
    expect(await database.recordDeploy('d1', 'building')).toBe(id);
    expect(await last()).toMatchObject({
      state: 'building',
      requested_by: 'admin',
      deploy_id: 'd1',
    });
    await database.recordDeploy('d1', 'failed', 'The catalogue is empty.');
    await database.recordDeploy('d1', 'building');
    await database.recordDeploy('d1', 'published');
    expect(await last()).toMatchObject({ state: 'failed', reason: 'The catalogue is empty.' });
  });

  test('that a push was skipped makes it no deploy, and a requested build a failed one', async () => {
    await database.recordDeploy('push', 'building');
    expect(await last()).toMatchObject({ requested_by: 'deploy', deploy_id: 'push' });
    await database.recordDeploy('push', 'skipped');
    await database.recordDeploy('unheard', 'skipped');
    expect(await database.query('select id from public.builds')).toEqual([]);
    await change();
    await database.requestBuild('admin', live);
    await database.recordDeploy('d1', 'building');
    await database.recordDeploy('d1', 'skipped', 'See the log.');
    expect(await last()).toMatchObject({ state: 'failed', reason: 'See the log.' });
  });
});
