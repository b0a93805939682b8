import { expect, test, vi } from 'vitest';
import { formOfProduct } from '#domain/admin/products/product-form.ts';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { adminProduct } from './admin-product.ts';
import { saveEdit, saveProduct, stockNote } from '#islands/admin/products/form/save-product.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

const seen = adminProduct({ category: 'necklaces', description: 'Old.', price: 50_000, stock: 7 });
const form = formOfProduct(seen);
const refusal = { message: 'Look again.', request_id: 'r' };

/** A shop that answers each request with the next of these, the last one for ever: a product it has by now, or a status. Returns what was sent. */
function openShop(...answers: readonly (AdminProduct | 'saved' | number)[]): unknown[] {
  const sent: { product: object }[] = [];
  const answerAt = (index: number) => answers[Math.min(index, answers.length - 1)];
  vi.stubGlobal('fetch', (_address: string, { body }: { body: string }) => {
    const answer = answerAt(sent.length);
    sent.push(JSON.parse(body) as { product: object });
    if (answer === 'saved')
      return Promise.resolve(Response.json({ product: { ...seen, ...sent.at(-1)?.product } }));
    if (typeof answer === 'number')
      return Promise.resolve(Response.json({ ...refusal, error: 'refused' }, { status: answer }));
    const conflict = { ...refusal, error: 'changed', current: answer };
    return Promise.resolve(Response.json(conflict, { status: 409 }));
  });
  return sent;
}
const changed = (change: Partial<AdminProduct>): AdminProduct => ({
  ...seen,
  updatedAt: '2026-11-20T11:00:00Z',
  ...change,
});

test('a sale while the product is edited stays a sale: the change of the stock is sent again on top of it, without a question', async () => {
  const sent = openShop({ ...seen, stock: 5 }, 'saved');
  const typed = { ...form, stock: '9', description: 'New.' };
  expect(await saveEdit(seen, typed)).toMatchObject({
    kind: 'saved',
    product: { stock: 7, description: 'New.' },
  });
  expect(sent).toMatchObject([
    { product: { stock: 9 }, seen: { stock: 7 } },
    { product: { stock: 7 }, seen: { stock: 5 } },
  ]);
});

test('a field that was changed elsewhere is shown before anything is saved', async () => {
  const current = changed({ price: 60_000, stock: 5 });
  const sent = openShop(current, 'saved');
  expect(await saveEdit(seen, { ...form, price: '650' })).toEqual({ kind: 'changed', current });
  expect(sent).toHaveLength(1);
});

test('a field that the admin does not see follows the shop', async () => {
  const sent = openShop(changed({ description: 'New.' }), 'saved');
  const outcome = await saveEdit(seen, { ...form, price: '650' }, ['price', 'stock']);
  expect(outcome).toMatchObject({ kind: 'saved', product: { price: 65_000, description: 'New.' } });
  expect(sent).toHaveLength(2);
});

test('a product whose stock moves with every try is given up after four, in words', async () => {
  const sent = openShop({ ...seen, stock: 5 });
  expect(await saveProduct(seen.id, seen, { ...form, stock: '9' })).toMatchObject({
    kind: 'failed',
    message: 'This product is being changed elsewhere. Please try again.',
  });
  expect(sent).toHaveLength(4);
});

test('a product that was deleted meanwhile is gone', async () => {
  openShop(404);
  expect(await saveProduct(seen.id, seen, form)).toEqual({ kind: 'gone' });
});

test('the stock is told when another number was saved than the one typed', () => {
  expect(stockNote({ ...form, stock: '1,009' }, { stock: 1_009 })).toBeNull();
  expect(stockNote({ ...form, stock: '' }, { stock: 0 })).toBeNull();
  expect(stockNote({ ...form, stock: '9' }, { stock: 7 })).toBe(
    'Stock is 7: it changed while you were editing.',
  );
  expect(stockNote({ ...form, sizes: [{ size: 'S', stock: '2' }] }, { stock: 2 })).toBeNull();
});
