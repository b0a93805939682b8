import { expect, test } from 'vitest';
import { seller } from '#settings/seller.ts';
import { confirm, confirmationEnds } from '#tests/functions/admin/admin-client.ts';
import { useAdminShop } from '#tests/functions/support/admin-shop.ts';
import { codeOf, turnOnFactor } from './second-factor-client.ts';

const shop = await useAdminShop();
const customer = await shop.signUp();

test('a large refund needs the code together with the password', async ({ onTestFinished }) => {
  const { confirmAbove } = seller.refunds;
  Object.assign(seller.refunds, { confirmAbove: 10_000 });
  onTestFinished(async () => {
    Object.assign(seller.refunds, { confirmAbove });
    await shop.sql('delete from public.admin_second_factor where true');
    // The mail about it.
    await shop.sweep();
  });
  const { secret } = await turnOnFactor(shop, shop.admin);
  await confirmationEnds(shop);
  const ring = await shop.addProduct({ price: 12_000, stock: 5 });
  const { id } = await shop.buy(customer, [{ product_id: ring, quantity: 1 }]);
  const refund = () => shop.refund(id, { amountPaise: 1_000_001 });
  expect(await refund()).toMatchObject({ status: 403, json: { code_needed: true } });
  expect(await confirm(shop.admin)).toMatchObject({
    status: 403,
    json: { error: 'code_required' },
  });
  expect(await refund()).toMatchObject({ status: 403 });
  expect(await confirm(shop.admin, { code: codeOf(secret) })).toMatchObject({ status: 200 });
  expect(await refund()).toMatchObject({ status: 200 });
});
