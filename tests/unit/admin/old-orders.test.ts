import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  dayFromText,
  oldOrdersTemplate,
  readOldOrders,
} from '../../../src/domain/admin/orders/old-orders.ts';
import { csvText } from '../../../src/domain/csv.ts';
import { eachRow } from '../../each-row.ts';

const today = '2026-11-22';
const faultsOf = (text: string): string[] => {
  const read = readOldOrders(text, today);
  return read.ok
    ? []
    : read.faults.map(({ row, column, message }) => `${String(row)} ${column ?? '-'}: ${message}`);
};

test('the template reads as one order', () => {
  expect(readOldOrders(oldOrdersTemplate(), today)).toEqual({
    ok: true,
    unknown: [],
    orders: [
      {
        ...{
          number: '2024-117',
          placedOn: '2024-08-31',
          name: 'Anjali Menon',
          phone: '98470 12345',
          email: 'anjali@example.com',
        },
        ...{ items: '2 × Palakka ring, 1 × Kasu mala', totalPaise: 549_700, paid: true },
      },
    ],
  });
});

test('a day is read as it is written in India, and what is no day is none', () =>
  eachRow<[string, string | null]>(
    [
      ['31-08-2024', '2024-08-31'],
      ['3/4/2024', '2024-04-03'],
      ['31.08.2024 14:05', '2024-08-31'],
      ['2024-08-31T23:59:00Z', '2024-08-31'],
      ['29-02-2024', '2024-02-29'],
      ['29-02-2023', null],
      ['13/13/2024', null],
      ['31 Aug 2024', null],
      ['45535', null],
      ['', null],
    ],
    ([text, day]) => {
      expect(dayFromText(text)).toBe(day);
    },
  ));

test('every day is read back in each way to write it', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1990-01-01'), max: new Date('2026-01-01'), noInvalidDate: true }),
      (at) => {
        const iso = at.toISOString().slice(0, 10);
        const [year = '', month = '', day = ''] = iso.split('-');
        for (const text of [
          iso,
          `${day}/${month}/${year}`,
          `${String(Number(day))}.${String(Number(month))}.${year}`,
        ])
          expect(dayFromText(text)).toBe(iso);
      },
    ),
  );
});

test('every fault is told with its row and column, and then no order is read', () =>
  eachRow<[string, string[]]>(
    [
      [
        'Number,Date,Name,Items,Total,Paid\n,x,,,"499,50",maybe\n',
        [
          '2 Number: Number is required',
          '2 Date: Date must be a day such as 31-08-2024',
          '2 Name: Name is required',
          '2 Items: Items is required',
          '2 Total: Total must be in rupees, with two decimals at most',
          '2 Paid: Paid is “yes” or “no”',
        ],
      ],
      [
        'Number,Date,Name,Items,Total\n1,23-11-2026,A,Ring,1\n2,22-11-2026,A,Ring,1\n2,22-11-2026,A,Ring,1\n',
        ['2 Date: This day has not come yet', '4 Number: Row 3 has this number already'],
      ],
      [
        'Date,Name\n1,2\n',
        [
          '1 -: There is no column “Number”. The first row has to name the columns, as in the template.',
        ],
      ],
    ],
    ([text, faults]) => {
      expect(faultsOf(text)).toEqual(faults);
    },
  ));

test('whatever an order says, it is read as it was written', () => {
  const words = (max: number) =>
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: max })
      .map((text) => text.trim())
      .filter((text) => text !== '' && !text.includes('\0'));
  const orders = fc.uniqueArray(
    fc.record({
      number: words(20),
      name: words(20),
      items: words(60),
      paise: fc.nat(1_000_000_000),
    }),
    { selector: ({ number }) => number, minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(orders, (given) => {
      const read = readOldOrders(
        csvText([
          ['Number', 'Date', 'Name', 'Items', 'Total'],
          ...given.map(({ number, name, items, paise }) => [
            number,
            '01-02-2024',
            name,
            items,
            paise,
          ]),
        ]),
        today,
      );
      expect(read.ok && read.orders).toEqual(
        given.map(({ paise: totalPaise, ...order }) => ({
          ...order,
          placedOn: '2024-02-01',
          phone: '',
          email: '',
          totalPaise,
          paid: null,
        })),
      );
    }),
    { numRuns: 60 },
  );
});
