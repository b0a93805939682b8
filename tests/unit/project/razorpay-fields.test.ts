import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  disputeSchema,
  orderSchema,
  paymentSchema,
  refundSchema,
} from '#local/emulators/razorpay/entities.ts';
import {
  providerDisputeSchema,
  providerOrderSchema,
  providerPaymentSchema,
  providerRefundSchema,
} from '#core/payments/razorpay-entities.ts';
import { eachRow } from '#tests/each-row.ts';

const [, section = ''] = readFileSync('docs/razorpay.md', 'utf8').split(
  'What the documentation names besides',
);
const rows = [
  ...(section.split('\n## ')[0] ?? '').matchAll(/^\| (\w+) \| (`[^|]+`) \| (.+) \|$/gmu),
];
/** The fields of an entity that docs/razorpay.md lists as not read. */
const unread = (entity: string): string[] =>
  rows
    .filter(([, name]) => name === entity || name === 'each')
    .flatMap(([, , fields = '']) =>
      [...fields.matchAll(/`(\w+)`/gu)].map(([, field = '']) => field),
    );

test('every field of Razorpay’s entities is read, or listed with the reason why it is not', () =>
  eachRow(
    [
      ['order', orderSchema, providerOrderSchema],
      ['payment', paymentSchema, providerPaymentSchema],
      ['refund', refundSchema, providerRefundSchema],
      ['dispute', disputeSchema, providerDisputeSchema],
    ] as const,
    ([entity, sandbox, read]) => {
      const known = Object.keys(read.shape);
      const listed = unread(entity);
      expect(listed.length).toBeGreaterThan(4);
      expect(listed.filter((field) => known.includes(field))).toEqual([]);
      expect(
        Object.keys(sandbox.shape).filter(
          (field) => !known.includes(field) && !listed.includes(field),
        ),
      ).toEqual([]);
      return Promise.resolve();
    },
  ));
