import { expect, test } from 'vitest';
import { unknownWord } from '#domain/sql-word.ts';
import { remittanceOutcomes, type RemittanceAnswer, type RemittanceRow } from './cash-api.ts';
import { remittanceReport } from './remittance-report.ts';

const sent = (row: number): RemittanceRow => ({
  row,
  trackingNumber: `D${String(row)}`,
  orderId: null,
  amountPaise: 100_000,
  orderReference: '',
  reference: 'N1',
});
const answered = (
  row: number,
  outcome: RemittanceAnswer['rows'][number]['outcome'],
  orderId: number | null = 1000 + row,
) => ({ row, outcome, orderId, amountPaise: 100_000, duePaise: orderId === null ? null : 150_000 });

test('a list says how much it pays, and what not and why, the most urgent first', () => {
  const rows = [
    answered(2, 'received'),
    answered(3, 'received'),
    answered(4, 'already'),
    answered(5, 'not_found', null),
    answered(6, 'too_little'),
  ];
  const report = remittanceReport(
    {
      rows,
      missing: [
        { orderId: 1009, carrier: 'Delhivery', duePaise: 50_000, at: '2026-11-20T20:05:00Z' },
        { orderId: 1010, carrier: '', duePaise: 50_000, at: '2026-11-20T20:05:00Z' },
      ],
    },
    rows.map(({ row }) => sent(row)),
  );
  expect(report.listed).toEqual({ count: 5, sum: 500_000 });
  expect(report.received).toEqual({ count: 2, sum: 200_000 });
  expect(report.groups.map(({ title, lines }) => [title, ...lines])).toEqual([
    ['Less than is due', 'Row 6, order 1006: ₹1,000.00 in place of ₹1,500.00'],
    ['Not found', 'Row 5, tracking number D5: ₹1,000.00'],
    ['Recorded before', 'Row 4, order 1004: ₹1,000.00'],
  ]);
  expect(report.missing).toEqual([
    'Order 1009, Delhivery: ₹500.00, sent on 21 November 2026',
    'Order 1010, without a courier: ₹500.00, sent on 21 November 2026',
  ]);
});

test('each outcome that records nothing has its words', () => {
  const outcomes = ([...remittanceOutcomes, unknownWord] as const).filter(
    (outcome) => outcome !== 'received' && outcome !== 'already',
  );
  const { groups, received } = remittanceReport(
    { rows: outcomes.map((outcome, at) => answered(at + 2, outcome)), missing: [] },
    [],
  );
  expect(received).toEqual({ count: 0, sum: 0 });
  expect(groups).toHaveLength(outcomes.length);
  for (const { hint } of groups) expect(hint).not.toBe('');
});
