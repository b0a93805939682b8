import { expect, test, vi } from 'vitest';
import {
  acceptCurrency,
  checkAmount,
  checkCustomer,
  PaymentError,
} from '../../../src/domain/checkout/payment.ts';
import { eachRow } from '../../each-row.ts';

test('the amount before payment is refused outside of ₹1 to ₹10,00,000, with the reason', () => {
  for (const amount of [100, 100_000_000])
    expect(() => {
      checkAmount(amount);
    }).not.toThrow();
  return eachRow(
    [
      [99, 'Amount must be at least ₹1'],
      [-100, 'Amount must be at least ₹1'],
      [100_000_001, 'Amount exceeds maximum limit of ₹10,00,000'],
      [Number.NaN, 'Invalid amount value'],
      [Infinity, 'Invalid amount value'],
    ],
    ([amount, message]) => {
      expect(() => {
        checkAmount(amount);
      }).toThrow(new PaymentError(message));
    },
  );
});

test('a currency other than INR, USD, EUR and GBP becomes INR with one warning', () => {
  const warn = vi.fn();
  const known = ['INR', 'USD', 'EUR', 'GBP'];
  expect(known.map((currency) => acceptCurrency(currency, warn))).toEqual(known);
  expect(warn).not.toHaveBeenCalled();
  const others = ['JPY', 'inr', '', undefined, null, 5];
  for (const currency of others) expect(acceptCurrency(currency, warn)).toBe('INR');
  expect(warn).toHaveBeenCalledTimes(others.length);
});

test('a customer without a name, an address with @ or ten digits may not pay, and reads the first reason', () => {
  const asha = { name: 'Asha', email: 'asha@example.com', phone: '9876543210' };
  expect(() => {
    checkCustomer(asha);
  }).not.toThrow();
  return eachRow(
    [
      [{ name: '', email: '', phone: '' }, 'Customer name is required'],
      [{ name: '   ' }, 'Customer name is required'],
      [{ email: 'asha.example.com' }, 'Valid customer email is required'],
      [{ phone: '987654321 ' }, 'Valid customer phone number is required'],
    ],
    ([changes, message]) => {
      expect(() => {
        checkCustomer({ ...asha, ...changes });
      }).toThrow(new PaymentError(message));
    },
  );
});
