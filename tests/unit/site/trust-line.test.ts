import { expect, test, vi } from 'vitest';
import { seller } from '#settings/seller.ts';
import { trustLine } from '#components/home/trust-line.ts';

vi.mock('#settings/seller.ts', () => ({
  seller: { shipping: { label: 'Free' }, answersWithin: '24 hours' },
}));
vi.mock('#domain/checkout/destination.ts', () => ({ deliveryArea: () => 'India' }));

const of = (...all: { plating?: string; hallmark?: string }[]) =>
  trustLine(all.map((attributes) => ({ attributes })));

test('the line under the buttons says what is true of the shop and its products, and no more', () => {
  const chat = 'WhatsApp, answered within 24 hours';
  expect(of()).toEqual(['Free shipping in India', chat]);
  expect(of({ plating: '22K gold' }, { plating: 'Rhodium' })).toEqual([
    'Free shipping in India',
    '22K gold plating',
    chat,
  ]);
  expect(
    of({ plating: '18k rose gold' }, { plating: '22 K gold, rhodium on the setting' })[1],
  ).toBe('18 to 22K gold plating');
  expect(of({ hallmark: 'AB12CD' })[1]).toBe('BIS hallmarked gold');
  seller.shipping.label = '₹60';
  expect(of()).toEqual([chat]);
});
