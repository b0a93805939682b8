import { beforeEach, expect, test } from 'vitest';
import { occasionInputSchema } from '#features/occasion/domain/occasion-api.ts';
import { dayMs, isoDay } from '#domain/calendar-day.ts';
import { eachRow } from '#tests/each-row.ts';
import { sqlState } from '#tests/database/support/database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';

const database = await useDatabase();

const today = await database.value<string>(
  'select private.india_date(clock_timestamp())::text as today',
);
const dayFromToday = (days: number): string => isoDay(Date.parse(today) + days * dayMs);
let [ring, chain] = ['', ''];
beforeEach(async () => {
  await database.run(
    'delete from public.occasion; delete from public.products; delete from public.product_changes',
  );
  ring = await database.addProduct({ stock: 3 });
  chain = await database.addProduct({ stock: 0 });
});

const onam = () => ({
  heading: 'For Onam',
  sentence: 'Gold at the edge of white.',
  first_day: today,
  last_day: dayFromToday(9),
  products: [chain, ring],
});
const save = (value: unknown): Promise<unknown> =>
  database.value('select public.save_occasion($1::jsonb)', JSON.stringify(value));
const read = (): Promise<unknown> => database.value('select public.read_occasion()');

test('an occasion is saved with its products in their order, replaced and taken away', async () => {
  const { products: _ids, ...words } = onam();
  expect(await save(onam())).toMatchObject({
    ...words,
    products: [
      { id: chain, hidden: false, stock: 0 },
      { id: ring, stock: 3 },
    ],
  });
  await save({ ...onam(), heading: 'For Vishu', products: [ring, chain] });
  expect(await read()).toMatchObject({
    heading: 'For Vishu',
    products: [{ id: ring }, { id: chain }],
  });
  const { version } = await database.unpublished(0);
  expect(await save(null)).toBeNull();
  expect(await read()).toBeNull();
  expect(await database.unpublished(version)).toMatchObject({
    to_build: 1,
    changes: [{ name: 'For Vishu', kind: 'changed' }],
  });
});

test('deleted products and past occasions are left out', async () => {
  await save(onam());
  await database.deleteProduct(ring);
  expect(await read()).toMatchObject({ products: [{ id: chain }] });
  await database.query(
    'update public.occasion set first_day = $1, last_day = $1 where id',
    dayFromToday(-1),
  );
  expect(await read()).toBeNull();
});

test('an invalid occasion is refused', () =>
  eachRow(
    [
      [{ heading: ' ' }, '23514'],
      [{ sentence: '' }, '23514'],
      [{ last_day: dayFromToday(-1), first_day: dayFromToday(-2) }, '22023'],
      [{ first_day: dayFromToday(10) }, '23514'],
      [{ last_day: dayFromToday(400) }, '23514'],
      [{ products: [ring, ring] }, '22023'],
      [{ products: [ring, null] }, '22023'],
    ],
    async ([changes, state]) => {
      expect(await sqlState(save({ ...onam(), ...(changes as object) }))).toBe(state);
    },
  ));

test('the form takes what the database takes, and no more', () =>
  eachRow(
    [
      [{ heading: 'x'.repeat(60) }, true],
      [{ heading: 'x'.repeat(61) }, false],
      [{ sentence: 'x'.repeat(160) }, true],
      [{ sentence: 'x'.repeat(161) }, false],
      ...[1, 2, 8, 9].map(
        (count) =>
          [
            { products: Array.from({ length: count }, () => crypto.randomUUID()) },
            count >= 2 && count <= 8,
          ] as const,
      ),
    ] as const,
    async ([changes, isTaken]) => {
      const occasion = { ...onam(), ...changes };
      expect((await sqlState(save(occasion))) === 'none').toBe(isTaken);
      expect(occasionInputSchema.safeParse(occasion).success).toBe(isTaken);
    },
  ));
