import { describe, expect, test, vi } from 'vitest';
import {
  acceptCurrency,
  checkAmount,
  checkCustomer,
  PaymentError,
} from '../../../src/domain/checkout/payment.ts';
import { eachRow } from '../../each-row.ts';

describe('the amount before payment', () => {
  test('may be anything from ₹1 to ₹10,00,000', () =>
    eachRow([100, 101, 12_345_600, 99_999_999, 100_000_000], (amount) => {
      expect(() => {
        checkAmount(amount);
      }).not.toThrow();
    }));

  test('is refused outside of that, with the reason', () =>
    eachRow(
      [
        [99, 'Amount must be at least ₹1'],
        [0, 'Amount must be at least ₹1'],
        [-100, 'Amount must be at least ₹1'],
        [100_000_001, 'Amount exceeds maximum limit of ₹10,00,000'],
        [Number.MAX_SAFE_INTEGER, 'Amount exceeds maximum limit of ₹10,00,000'],
        [Number.NaN, 'Invalid amount value'],
        [Infinity, 'Invalid amount value'],
        [-Infinity, 'Invalid amount value'],
      ],
      ([amount, message]) => {
        expect(() => {
          checkAmount(amount);
        }).toThrow(new PaymentError(message));
      },
    ));
});

describe('the currency', () => {
  test('is accepted without a warning when it is INR, USD, EUR or GBP', () =>
    eachRow(['INR', 'USD', 'EUR', 'GBP'], (currency) => {
      const warn = vi.fn();
      expect(acceptCurrency(currency, warn)).toBe(currency);
      expect(warn).not.toHaveBeenCalled();
    }));

  test('becomes INR with one warning when it is anything else', () =>
    eachRow(['JPY', 'inr', '', ' INR', undefined, null, 5, {}], (currency) => {
      const warn = vi.fn();
      expect(acceptCurrency(currency, warn)).toBe('INR');
      expect(warn).toHaveBeenCalledOnce();
    }));
});

describe('the customer before payment', () => {
  const asha = { name: 'Asha', email: 'asha@example.com', phone: '9876543210' };

  test('with a name, an address with @ and ten digits may pay', () => {
    expect(() => {
      checkCustomer(asha);
    }).not.toThrow();
  });

  test('is refused for what is missing or too short, with the reason', () =>
    eachRow(
      [
        [{ name: '' }, 'Customer name is required'],
        [{ name: '   ' }, 'Customer name is required'],
        [{ email: '' }, 'Valid customer email is required'],
        [{ email: 'asha.example.com' }, 'Valid customer email is required'],
        [{ phone: '' }, 'Valid customer phone number is required'],
        [{ phone: '987654321' }, 'Valid customer phone number is required'],
        [{ phone: '987654321 ' }, 'Valid customer phone number is required'],
      ],
      ([changes, message]) => {
        expect(() => {
          checkCustomer({ ...asha, ...changes });
        }).toThrow(new PaymentError(message));
      },
    ));

  test('errors are shown one at a time, the name first', () => {
    expect(() => {
      checkCustomer({ name: '', email: '', phone: '' });
    }).toThrow('Customer name is required');
  });
});
