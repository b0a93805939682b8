import { expect, test, vi } from 'vitest';
import { dataWeKeep } from '#domain/retention.ts';
import { cartMailAfterHours } from '#settings/cart-mail.ts';
import type * as ownSeller from '#shop/seller.ts';

/* A shop whose settings say nothing of left carts: every shop from before there were mails about them. */
vi.mock('#shop/seller.ts', async (importOriginal) => {
  const own = await importOriginal<typeof ownSeller>();
  const { fromStrangersPerDay } = own.seller.mails;
  return { ...own, seller: { ...own.seller, mails: { fromStrangersPerDay } } };
});

test('without its setting the sweep looks for no left cart, and the privacy policy says nothing of mails about them', () => {
  // SQL left_carts_due finds none then: tests/features/cart-mail/cart-mail.database.test.ts.
  expect(cartMailAfterHours).toBeNull();
  const named = dataWeKeep.map(({ what }) => what);
  expect(named).toContain('E-mails to you');
  expect(named).not.toContain('E-mail about a cart');
});
