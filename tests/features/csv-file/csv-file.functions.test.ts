import { beforeEach, describe, expect, test } from 'vitest';
import { adminProductsSchema } from '../../../src/domain/admin/products/product-input.ts';
import { readCatalogueFile } from '../../../src/features/csv-file/domain/catalogue-csv.ts';
import { idsAndNames, planImport } from '../../../src/features/csv-file/domain/import-plan.ts';
import { logIn } from '../../functions/admin/admin-client.ts';
import { input, openProductRequests } from '../../functions/admin/products/product-requests.ts';

const requests = await openProductRequests();
const { stack, stored } = requests;
const admin = await logIn(stack);
beforeEach(() => stack.sql('delete from public.products'));

const compare = (body: unknown) => admin.ask('POST', '/api/admin/catalogue/compare', body);
const exported = async (part = ''): Promise<string> => {
  const answer = await admin.ask('GET', `/api/admin/catalogue/export${part}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="catalogue-\d{4}-\d\d-\d\d/u,
  );
  return answer.text;
};
/** The effect of the exported text on the catalogue, as the page requests and compares it. */
async function planOf(text: string) {
  const file = readCatalogueFile(text);
  if (!file.ok) throw new Error(file.fault.message);
  const newId = () => crypto.randomUUID();
  const compared = await compare(idsAndNames(file.rows, newId));
  const products = adminProductsSchema.parse({ ...compared.json, total: 0 }).products;
  return planImport(file.rows, { stored: products, entryOf: () => null, newId });
}

describe('the exported catalogue', () => {
  test('is a file that imports again without a difference, deleted products left out', async () => {
    await stored({
      name: '=SUM(1)',
      description: 'Two\nlines, "quoted"; ’ and അ',
      offerPrice: 99_900,
    });
    await stored({ hidden: true, images: [], imageAlts: [], attributes: {} });
    const gone = await stored({ name: 'Gone' });
    await requests.ask('DELETE', `/${gone.id}`);
    const text = await exported();
    expect(text).not.toContain('Gone');
    expect(await planOf(text)).toEqual({ added: [], changed: [], same: 2, faults: [] });
  });

  test('comes in parts, and a part that cannot be is not found', async () => {
    await stored();
    expect((await exported('?part=2')).split('\r\n')).toHaveLength(2);
    expect((await admin.ask('GET', '/api/admin/catalogue/export?part=x')).status).toBe(404);
  });
});

test('hundreds of products are compared and exported at once', async () => {
  const rows = Array.from({ length: 400 }, (_, index) => ({
    id: crypto.randomUUID(),
    product: { ...input, name: `Product ${String(index)}`, description: 'A'.repeat(300) },
    seen: null,
  }));
  await admin.ask('POST', '/api/admin/catalogue/save', { rows });
  const compared = await compare({
    ids: rows.map(({ id }) => id),
    names: rows.map(({ product }) => product.name),
  });
  expect(compared.json['products']).toHaveLength(400);
  expect((await exported()).split('\r\n')).toHaveLength(402);
});
