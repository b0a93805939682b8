import fc from 'fast-check';
import { businessDays } from '#domain/calendar-day.ts';
import { describe, expect, test } from 'vitest';
import { formatDay, indiaCalendarDay, isoDay } from '#domain/calendar-day.ts';
import { addBusinessDays, deliveryWindow } from '#domain/checkout/delivery.ts';
import { seller } from '#settings/seller.ts';
import { eachRow } from '#tests/each-row.ts';

const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
const text = (date: number | undefined) => (date === undefined ? '' : isoDay(date));
const anyMoment = fc.date({
  min: new Date('2000-01-01'),
  max: new Date('2100-01-01'),
  noInvalidDate: true,
});

test('a day is written as en-IN writes it, without the comma, and September like the others in three letters', () => {
  const standard = new Intl.DateTimeFormat('en-IN', {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  });
  for (let date = day('2026-01-01'); date < day('2028-01-01'); date += 86_400_000)
    expect(formatDay(date)).toBe(standard.format(date).replace(',', '').replace('Sept', 'Sep'));
});

describe('the words of the shop', () => {
  test('are read as a range of days, or not at all', () =>
    eachRow(
      [
        ['5-7 business days', [5, 7]],
        ['1–2 business days', [1, 2]],
        ['2 business days', [2, 2]],
        ['soon', null],
        ['7-5 business days', null],
      ],
      ([words, days]) => {
        expect(businessDays(words)).toEqual(days);
      },
    ));

  test('give days for packing, standard and express', () => {
    const { processing, standard, express } = seller.shipping;
    for (const words of [processing, standard, express]) {
      const days = businessDays(words)?.map(String) ?? [];
      expect(words).toMatch(new RegExp(`^${[...new Set(days)].join('-')} `, 'u'));
    }
  });
});

describe('a day in India', () => {
  test('is what the calendar of Asia/Kolkata says', () => {
    const kolkata = new Intl.DateTimeFormat('en-CA', {
      timeZone: 'Asia/Kolkata',
      dateStyle: 'short',
    });
    fc.assert(
      fc.property(anyMoment, (moment) => {
        expect(text(indiaCalendarDay(moment))).toBe(kolkata.format(moment));
      }),
    );
  });
});

describe('business days', () => {
  test('leave out Sundays', () =>
    eachRow(
      [
        ['2026-11-21', 1, '2026-11-23'],
        ['2026-11-22', 0, '2026-11-23'],
        ['2026-11-23', 6, '2026-11-30'],
      ],
      ([from, count, to]) => {
        expect(text(addBusinessDays(day(from), count))).toBe(to);
      },
    ));

  test('never end on a Sunday, and skip exactly the Sundays between', () => {
    fc.assert(
      fc.property(anyMoment, fc.nat({ max: 40 }), (moment, count) => {
        const from = indiaCalendarDay(moment);
        const to = addBusinessDays(from, count);
        expect(new Date(to).getUTCDay()).not.toBe(0);
        const start = addBusinessDays(from, 0);
        const passed = Array.from(
          { length: (to - start) / 86_400_000 },
          (_, index) => start + (index + 1) * 86_400_000,
        );
        expect(passed.filter((date) => new Date(date).getUTCDay() !== 0)).toHaveLength(count);
      }),
    );
  });
});

describe('a delivery', () => {
  test('a delivery of an order paid after midnight in India counts from that day, a Sunday from the Monday', () => {
    const window = deliveryWindow(
      new Date('2026-11-21T18:40:00Z'),
      '1-2 business days',
      '2-3 business days',
    );
    expect([text(window?.first), text(window?.last)]).toEqual(['2026-11-26', '2026-11-28']);
  });

  test('is unknown for words without days', () => {
    expect(deliveryWindow(new Date(), 'soon', '5-7 business days')).toBeNull();
  });

  test('never comes later when it is ordered earlier', () => {
    fc.assert(
      fc.property(anyMoment, anyMoment, (one, other) => {
        const [early, late] = one < other ? [one, other] : [other, one];
        const first = deliveryWindow(early, '1-2', '5-7');
        const second = deliveryWindow(late, '1-2', '5-7');
        expect(first?.first ?? 0).toBeLessThanOrEqual(second?.first ?? 0);
        expect(first?.last ?? 0).toBeLessThanOrEqual(second?.last ?? 0);
        expect(first?.first ?? 0).toBeLessThanOrEqual(first?.last ?? 0);
      }),
    );
  });
});
