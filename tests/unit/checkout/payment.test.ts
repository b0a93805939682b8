import { describe, expect, test, vi } from 'vitest';
import { acceptCurrency, checkAmount, checkCustomer, PaymentError } from '../../../src/domain/checkout/payment.ts';

describe('the amount before payment', () => {
  test.each([100, 101, 12_345_600, 99_999_999, 100_000_000])('%i paise may be paid', (amount) => {
    expect(() => {
      checkAmount(amount);
    }).not.toThrow();
  });

  test.each([
    [99, 'Amount must be at least ₹1'],
    [0, 'Amount must be at least ₹1'],
    [-100, 'Amount must be at least ₹1'],
    [100_000_001, 'Amount exceeds maximum limit of ₹10,00,000'],
    [Number.MAX_SAFE_INTEGER, 'Amount exceeds maximum limit of ₹10,00,000'],
    [Number.NaN, 'Invalid amount value'],
    [Infinity, 'Invalid amount value'],
    [-Infinity, 'Invalid amount value'],
  ])('%d paise are refused: %s', (amount, message) => {
    expect(() => {
      checkAmount(amount);
    }).toThrow(new PaymentError(message));
  });
});

describe('the currency', () => {
  test.each(['INR', 'USD', 'EUR', 'GBP'])('%s is taken without a word', (currency) => {
    const warn = vi.fn();
    expect(acceptCurrency(currency, warn)).toBe(currency);
    expect(warn).not.toHaveBeenCalled();
  });

  test.each(['JPY', 'inr', '', ' INR', undefined, null, 5, {}])(
    '%j becomes INR with one warning',
    (currency) => {
      const warn = vi.fn();
      expect(acceptCurrency(currency, warn)).toBe('INR');
      expect(warn).toHaveBeenCalledOnce();
    },
  );
});

describe('the customer before payment', () => {
  const asha = { name: 'Asha', email: 'asha@example.com', phone: '9876543210' };

  test('with a name, an address with @ and ten digits may pay', () => {
    expect(() => {
      checkCustomer(asha);
    }).not.toThrow();
  });

  test.each([
    [{ name: '' }, 'Customer name is required'],
    [{ name: '   ' }, 'Customer name is required'],
    [{ email: '' }, 'Valid customer email is required'],
    [{ email: 'asha.example.com' }, 'Valid customer email is required'],
    [{ phone: '' }, 'Valid customer phone number is required'],
    [{ phone: '987654321' }, 'Valid customer phone number is required'],
    [{ phone: '987654321 ' }, 'Valid customer phone number is required'],
  ])('with %j is refused: %s', (changes, message) => {
    expect(() => {
      checkCustomer({ ...asha, ...changes });
    }).toThrow(new PaymentError(message));
  });

  test('errors are told one at a time, the name first', () => {
    expect(() => {
      checkCustomer({ name: '', email: '', phone: '' });
    }).toThrow('Customer name is required');
  });
});
