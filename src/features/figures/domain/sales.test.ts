import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { customersHash, placeAmongOrders, readCustomersHash, customerSorts } from './customers.ts';
import {
  beforeTitle,
  cartMailsText,
  changeText,
  neighbours,
  periodTitle,
  refundsText,
  shortRupees,
  type Figures,
} from './figures.ts';
import { eachRow } from '#tests/each-row.ts';

const month: Figures = {
  period: 'month',
  today: '2026-11-22',
  from: '2026-11-01',
  to: '2026-11-30',
  orders: 3,
  paise: 100_001,
  refundedPaise: 0,
  cancelledPaise: 0,
  bars: [],
  cartMails: null,
  best: [],
  before: { from: '2026-10-01', to: '2026-10-22', orders: 2, paise: 50_000 },
};

describe('figures', () => {
  test('name their period and what it is compared with', () => {
    const since = (from: string, to: string) => ({ before: { ...month.before, from, to } });
    const week = { from: '2026-10-26', to: '2026-11-01', today: '2026-11-01' };
    return eachRow<[Partial<Figures>, string, string]>(
      [
        [{}, 'November 2026', '1 – 22 Oct 2026'],
        [
          { today: '2026-12-01', ...since('2026-10-01', '2026-10-31') },
          'November 2026',
          'October 2026',
        ],
        [
          { period: 'year', from: '2026-01-01', ...since('2025-01-01', '2025-11-22') },
          '2026',
          '1 Jan – 22 Nov 2025',
        ],
        [
          { period: 'week', ...week, ...since('2026-10-19', '2026-10-19') },
          '26 Oct – 1 Nov 2026',
          '19 Oct 2026',
        ],
      ],
      ([changes, title, before]) => {
        const figures = { ...month, ...changes };
        expect([periodTitle(figures), beforeTitle(figures)]).toEqual([title, before]);
      },
    );
  });

  test('say what the mails about left carts brought, in a period that has some', () =>
    eachRow(
      [
        [null, ''],
        [
          { sent: 1, orders: 0, paise: 0 },
          '1 e-mail about a cart was sent. No order followed within seven days.',
        ],
        [
          { sent: 12, orders: 1, paise: 120_000 },
          '12 e-mails about carts were sent. 1 order followed within seven days, for ₹1,200.00.',
        ],
        [
          { sent: 12, orders: 2, paise: 240_000 },
          '12 e-mails about carts were sent. 2 orders followed within seven days, for ₹2,400.00.',
        ],
      ] as const,
      ([cartMails, text]) => {
        expect(cartMailsText({ cartMails })).toBe(text);
      },
    ));

  test('say what refunds take off, and what went back for cancelled orders without being in the sales', () =>
    eachRow<[number, number, string]>(
      [
        [0, 0, ''],
        [240_047, 0, '₹2,400.47 of refunds is taken off.'],
        [0, 946_804, '₹9,468.04 went back for cancelled orders, which are not in the sales.'],
        [
          240_047,
          946_804,
          '₹2,400.47 of refunds is taken off. ₹9,468.04 went back for cancelled orders, which are in neither figure.',
        ],
      ],
      ([refundedPaise, cancelledPaise, text]) => {
        expect(refundsText({ refundedPaise, cancelledPaise })).toBe(text);
      },
    ));

  test('lead to the period before and to the one after, which must have begun', () => {
    expect(neighbours(month)).toEqual({ earlier: '2026-10-31', later: null });
    expect(neighbours({ ...month, today: '2026-12-01' })).toEqual({
      earlier: '2026-10-31',
      later: '2026-12-01',
    });
  });

  test('say how much more or less it is, and nothing where nothing can be compared', () =>
    eachRow(
      [
        [112, 100, '12 % more'],
        [10_001, 10_000, 'nearly the same'],
        [5, 0, null],
        [5, -20, null],
      ] as const,
      ([now, before, text]) => {
        expect(changeText(now, before)).toBe(text);
      },
    ));

  test('are short over a bar: never longer than six letters, and never more than was sold', async () => {
    await eachRow(
      [
        [1_234_500, '12k'],
        [12_000_000, '1.2L'],
        [-99_999_999, '−9.9L'],
        [1_234_567_890, '1.2Cr'],
      ] as const,
      ([paise, text]) => {
        expect(shortRupees(paise)).toBe(text);
      },
    );
    fc.assert(
      fc.property(fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }), (paise) => {
        const text = shortRupees(paise);
        expect(text.length).toBeLessThanOrEqual(6);
        const worth =
          Number(/[\d.]+/u.exec(text)?.[0]) *
          (text.endsWith('Cr') ? 1e7 : text.endsWith('L') ? 1e5 : text.endsWith('k') ? 1e3 : 1);
        expect(worth).toBeLessThanOrEqual(Math.abs(paise) / 100);
        expect(worth).toBeGreaterThan((Math.abs(paise) / 100) * 0.9 - 1);
      }),
    );
  });
});

describe('customers', () => {
  test('an order says which of its customer’s it is', () =>
    eachRow(
      [
        [{ nth: 1, orders: 1 }, 'first order'],
        [{ nth: 3, orders: 5 }, 'third order'],
        [{ nth: 11, orders: 11 }, '11th order'],
        [{ nth: 22, orders: 22 }, '22nd order'],
        [{ nth: null, orders: 0 }, ''],
        [{ nth: null, orders: 1 }, 'bought once'],
        [{ nth: null, orders: 4 }, 'bought 4 times'],
      ] as const,
      ([place, text]) => {
        expect(placeAmongOrders(place)).toBe(text);
      },
    ));

  test('the address of a list comes back as it went', () => {
    fc.assert(
      fc.property(fc.constantFrom(...customerSorts), fc.string({ unit: 'grapheme' }), (sort, q) => {
        expect(readCustomersHash(customersHash({ sort, q }))).toEqual({ sort, q: q.trim() });
      }),
    );
    expect(readCustomersHash('#orders?q=a')).toEqual({ sort: 'recent', q: '' });
  });
});
