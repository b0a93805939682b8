import { beforeEach, expect, test } from 'vitest';
import { isoDateInIndia } from '#domain/india-month.ts';
import { eachRow } from '#tests/each-row.ts';
import { useAdminShop } from '#tests/functions/support/admin-shop.ts';

const stack = await useAdminShop();
const { admin } = stack;
beforeEach(() => stack.sql('delete from public.occasion'));

const dayFromToday = (days: number): string =>
  isoDateInIndia(new Date(Date.now() + days * 86_400_000).toISOString());
const [ring, chain] = [
  await stack.addProduct({ stock: 3 }),
  await stack.addProduct({ stock: 0 }),
] as const;
const onam = {
  heading: 'For Onam',
  sentence: 'Gold at the edge of white.',
  first_day: dayFromToday(0),
  last_day: dayFromToday(9),
  products: [chain, ring],
};
const ask = (method: string, body?: unknown) => admin.ask(method, '/api/admin/occasion', body);

test('the occasion is saved, read with its products, replaced and taken away', async () => {
  const { products: _ids, ...words } = onam;
  const saved = {
    occasion: {
      ...words,
      products: [
        { id: chain, stock: 0, hidden: false },
        { id: ring, stock: 3 },
      ],
    },
  };
  expect(await ask('PUT', { ...onam, heading: '  For Onam ' })).toMatchObject({
    status: 200,
    json: saved,
  });
  expect((await ask('GET')).json).toMatchObject(saved);
  await ask('PUT', { ...onam, heading: 'For Vishu' });
  expect((await ask('GET')).json).toMatchObject({ occasion: { heading: 'For Vishu' } });
  expect((await ask('DELETE', {})).json).toEqual({ occasion: null });
  expect((await ask('GET')).json).toEqual({ occasion: null });
});

test('an invalid occasion is refused with the field’s message, and the current one stays', async () => {
  await ask('PUT', onam);
  await eachRow(
    [
      [{ heading: ' ' }, 'heading'],
      [{ sentence: 'x'.repeat(161) }, 'sentence'],
      [{ first_day: 'soon' }, 'first_day'],
      [{ last_day: dayFromToday(-1) }, 'last_day'],
      [{ products: [ring, ring] }, 'products'],
    ] as const,
    async ([changes, field]) => {
      const { status, json } = await ask('PUT', { ...onam, ...changes });
      expect([status, Object.keys(json['fields'] as object)[0]]).toEqual([400, field]);
    },
  );
  expect((await ask('GET')).json).toMatchObject({ occasion: { heading: 'For Onam' } });
});
