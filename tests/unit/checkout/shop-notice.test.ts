import { describe, expect, test } from 'vitest';
import { isoDay } from '#domain/calendar-day.ts';
import { deliveryWindow } from '#domain/checkout/delivery.ts';
import { promisedDelivery } from '#domain/orders/promised-delivery.ts';
import { orderFromRow } from '#domain/orders/order.ts';
import {
  closesCheckout,
  noticeEffectText,
  parseNotice,
  type NoticeEffect,
} from '#domain/shop-notice.ts';
import { eachRow } from '#tests/each-row.ts';

const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
const text = (date: number | undefined) => (date === undefined ? '' : isoDay(date));
const notice = (first: string, last: string, extraDays: number): NoticeEffect =>
  parseNotice({
    message: 'Away',
    first_day: first,
    last_day: last,
    closes_checkout: extraDays === 0,
    extra_days: extraDays,
  });

describe('checkout', () => {
  // Monday to Saturday.
  const closed = notice('2026-11-30', '2026-12-05', 0);
  test('is closed from the first day to the last, and by no other notice', () => {
    expect(
      ['2026-11-29', '2026-11-30', '2026-12-05', '2026-12-06'].map((date) =>
        closesCheckout(closed, day(date)),
      ),
    ).toEqual([false, true, true, false]);
    expect(closesCheckout(notice('2026-11-30', '2026-12-05', 2), day('2026-12-01'))).toBe(false);
    expect(closesCheckout(null, day('2026-12-01'))).toBe(false);
  });

  test('opens on the day after the last one, and says so', () => {
    expect(noticeEffectText(closed)).toBe('Checkout opens again on Sun 6 Dec.');
    expect(noticeEffectText(notice('2026-11-30', '2026-12-05', 1))).toBe(
      'Orders made until Sat 5 Dec take 1 business day longer.',
    );
    expect(noticeEffectText(notice('2026-11-30', '2026-12-05', 3))).toBe(
      'Orders made until Sat 5 Dec take 3 business days longer.',
    );
  });
});

test('the promised days of delivery follow the notice', () => {
  const longer = notice('2026-11-30', '2026-12-05', 3);
  const closed = notice('2026-11-30', '2026-12-05', 0);
  return eachRow(
    [
      // Ordered at noon in India, packed in 1-2 days, carried in 5-7.
      ['no notice, a Monday', '2026-11-30', null, ['2026-12-07', '2026-12-10']],
      ['3 days longer', '2026-11-30', longer, ['2026-12-10', '2026-12-14']],
      ['its last day', '2026-12-05', longer, ['2026-12-16', '2026-12-19']],
      ['the day after', '2026-12-06', longer, ['2026-12-14', '2026-12-17']],
      ['closed: as if ordered later', '2026-12-01', closed, ['2026-12-14', '2026-12-17']],
      ['not packed before the closing', '2026-11-28', closed, ['2026-12-12', '2026-12-16']],
      ['a closing that is over', '2026-12-07', closed, ['2026-12-14', '2026-12-17']],
    ] as const,
    ([, ordered, effect, days]) => {
      const window = deliveryWindow(
        new Date(`${ordered}T06:30:00Z`),
        '1-2 business days',
        '5-7 business days',
        effect,
      );
      expect([text(window?.first), text(window?.last)]).toEqual(days);
    },
  );
});

test('an order keeps the promise of its day; one that is handed over, unpaid or at its end has none', () => {
  const row = {
    id: 1,
    paid_at: '2026-11-30T06:30:00Z',
    fulfilment: 'new',
    delivery_notice: {
      first_day: '2026-11-30',
      last_day: '2026-12-05',
      closes_checkout: false,
      extra_days: 3,
    },
  };
  const promise = (changes: object) =>
    text(promisedDelivery(orderFromRow({ ...row, ...changes }))?.first);
  expect(promise({})).toBe('2026-12-10');
  expect(promise({ delivery_notice: null })).toBe('2026-12-07');
  expect(promise({ delivery_notice: { first_day: 'soon' } })).toBe('2026-12-07');
  for (const changes of [
    { hand_over: true },
    { paid_at: null },
    { fulfilment: 'delivered' },
    { fulfilment: 'cancelled' },
  ])
    expect(promise(changes)).toBe('');
});
