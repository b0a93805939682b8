import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import {
  isRefused,
  paymentResults,
  readPaymentOutcome,
  type PaymentOutcome,
} from '#domain/checkout/payment-outcome.ts';
import { readOrderQuery } from '#islands/confirmation/order-query.ts';
import { PendingNote } from '#islands/confirmation/PendingNote.tsx';
import { verifyPayment } from '#services/checkout/payment-result.ts';
import { eachRow } from '#tests/each-row.ts';

vi.mock('#services/auth/account.ts', () => ({
  getAccessToken: () => Promise.resolve('token'),
}));

const proof = {
  razorpay_order_id: 'order_1',
  razorpay_payment_id: 'pay_1',
  razorpay_signature: 'f',
};
const outcomes = Object.keys(paymentResults) as PaymentOutcome[];
const noteOf = (query: string): string =>
  renderToStaticMarkup(
    createElement(PendingNote, {
      state: { kind: 'unknown', number: null },
      refusal: readOrderQuery(query).refusal,
    }),
  );

test("verify's outcome reaches the checkout, whatever its status", () =>
  eachRow(
    [
      [200, { success: true, verified: true, outcome: 'already_paid' }, 'paid'],
      [200, { verified: true }, 'paid'],
      [202, { verified: false, outcome: 'pending' }, 'pending'],
      [409, { verified: false, outcome: 'mismatch' }, 'mismatch'],
      [400, { verified: false, outcome: 'failed' }, 'failed'],
      // A signature that does not fit, a session that ended, a fault: webhook or sweep may still confirm the payment.
      [400, { verified: false, error: 'not_verified' }, 'pending'],
      [401, { error: 'unauthorized' }, 'pending'],
      [500, { outcome: 'toString' }, 'pending'],
      [500, 'text', 'pending'],
    ] as const,
    async ([status, body, outcome]) => {
      vi.stubGlobal('fetch', () => Promise.resolve(Response.json(body, { status })));
      expect(await verifyPayment(proof)).toBe(outcome);
    },
  ));

test('the confirmation page explains a payment that is never confirmed, and promises no later news', () => {
  for (const outcome of outcomes.filter(isRefused)) {
    const note = noteOf(`?order_id=order_1&status=pending&payment=${outcome}`);
    expect(note).toContain(paymentResults[outcome].message);
    expect(note).not.toMatch(/keep checking|as soon as/u);
  }
});

test('a payment that may still be confirmed is not called refused, nor by a word of a foreign link', () =>
  eachRow(['pending', 'paid', 'already_paid', 'nonsense', 'constructor', ''], (text) => {
    expect(noteOf(`?status=pending&payment=${text}`)).toContain('We keep checking');
  }));

test('an outcome is one of the table, never a name that every object has', () => {
  expect(outcomes.map(readPaymentOutcome)).toEqual(outcomes);
  expect(['toString', '', null, 1].map(readPaymentOutcome)).toEqual([null, null, null, null]);
});
