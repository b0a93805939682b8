import { describe, expect, test } from 'vitest';
import { composeMail } from '#core/mail/compose.ts';
import { orderFromRow } from '#domain/orders/order.ts';
import { cashNote, cancelRefund } from '#domain/orders/own-order-progress.ts';
import { ownOrderFromRow } from '#domain/orders/own-order.ts';
import { currentTerms, sqlTerms } from '#domain/orders/order-terms.ts';
import { expectedDelivery, promisedDelivery } from '#domain/orders/promised-delivery.ts';
import { packingSlipPage } from '#netlify/features/labels/packing-slip-page.ts';
import { useStack } from '#tests/functions/support/stack.ts';
import { sampleRow } from '#tests/functions/support/sample-mails.ts';

/* An order keeps the terms that it was placed at: a commit in src/shop changes none of what its customer was promised. */
const stack = await useStack();

/** Terms that no setting of the tests has. */
const old = {
  processing: '11 business days',
  standard: '22-23 business days',
  damage_hours: 7,
  returns_platform_fee: !currentTerms().returnsPlatformFee,
  keeps_advance: !currentTerms().keepsAdvance,
};
const cash = {
  state: 'due',
  kind: 'door_advance',
  status: 'PENDING',
  payment_id: null,
  paid_at: null,
  cash_paise: 4_846_600,
  cash_confirmed_at: '2026-11-20T12:00:00Z',
};

test('a new order stores the terms of today, and another placing of the same cart those of its day', async () => {
  const ring = await stack.addProduct({ stock: 5 });
  const customer = await stack.signUp();
  const lines = [{ product_id: ring, quantity: 1 }];
  const place = async (): Promise<unknown> => {
    const { json } = await stack.createOrder(customer, lines);
    const { number } = json['order'] as { number: number };
    return stack.value('select terms from public.orders where id = $1', number);
  };
  expect(await place()).toEqual(sqlTerms());
  await stack.sql(`update public.orders set terms = $1::jsonb where true`, JSON.stringify(old));
  expect(await place()).toEqual(sqlTerms());
});

describe('after the settings have changed', () => {
  test.each([
    [
      'order_confirmation',
      {},
      ['within 11 business days', '22-23 business days', 'within 7 hours'],
    ],
    ['delivered_notice', {}, ['within 7 hours']],
    [
      'shipped_notice',
      { carrier: 'DTDC', tracking_number: null, tracking_url: null },
      ['within 7 hours'],
    ],
  ] as const)('the mail %s says what was promised', (kind, payload, words) => {
    const { text } = composeMail(kind, { order: { ...sampleRow, terms: old }, payload });
    for (const word of words) expect(text.replaceAll(/\s+/gu, ' ')).toContain(word);
    const today = composeMail(kind, { order: sampleRow, payload }).text;
    for (const word of words) expect(today).not.toContain(word);
  });

  test('the days, the fee, the advance and the packing slip are the old ones, and of an order without terms today’s', async () => {
    const [before, today] = [{ ...sampleRow, terms: old }, sampleRow];
    const days = (row: object) => promisedDelivery(orderFromRow(row))?.last ?? 0;
    expect(days(before)).toBeGreaterThan(days(today));
    expect(expectedDelivery(orderFromRow({ ...today, paid_at: null }))).toBeNull();

    const kept = (row: object) => cancelRefund(ownOrderFromRow(row)).kept > 0;
    expect([kept(before), kept(today)]).toEqual([
      currentTerms().returnsPlatformFee,
      !currentTerms().returnsPlatformFee,
    ]);

    const note = (row: object) => cashNote(ownOrderFromRow({ ...row, ...cash })) ?? '';
    expect(note(before).includes('is not returned')).toBe(old.keeps_advance);
    expect(note(today).includes('is not returned')).toBe(!old.keeps_advance);

    const slip = async (row: object) =>
      (await packingSlipPage(orderFromRow(row)).text()).replaceAll(/\s+/gu, ' ');
    expect(await slip(before)).toContain('within 7 hours of delivery');
    expect(await slip(today)).toContain(
      `within ${String(currentTerms().damageHours)} hours of delivery`,
    );
  });
});
