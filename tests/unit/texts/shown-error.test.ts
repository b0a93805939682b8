import { expect, test } from 'vitest';
import { PaymentError } from '../../../src/domain/checkout/payment.ts';
import { reasonOf } from '../../../src/domain/shown-error.ts';
import { eachRow } from '../../each-row.ts';

const other = 'Please check your connection and reload the page.';

test('a customer reads what the shop wrote, and nothing that a browser or a library wrote', () =>
  eachRow<readonly [unknown, string]>(
    [
      [new Error('Please sign in again.'), 'Please sign in again.'],
      [new PaymentError('Amount must be at least ₹1'), 'Amount must be at least ₹1'],
      [new TypeError('Failed to fetch dynamically imported module: http://shop/a.js'), other],
      [new SyntaxError('Unexpected token < in JSON'), other],
      [new DOMException('signal timed out', 'TimeoutError'), other],
      [new (class LibraryError extends Error {})('code 42'), other],
      [new Error(''), other],
      ['text', other],
      [null, other],
    ],
    ([error, words]) => {
      expect(reasonOf(error)).toBe(words);
    },
  ));
