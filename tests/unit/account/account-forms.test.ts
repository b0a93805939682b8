import { describe, expect, test } from 'vitest';
import {
  contactSchema,
  credentialsSchema,
  newsletterSchema,
  parseForm,
  profileFormSchema,
} from '../../../src/domain/checkout/forms.ts';
import { addressOf, invalidAddresses } from '../checkout/addresses.ts';
import { eachRow } from '../../each-row.ts';

describe('the profile form', () => {
  const filled = {
    full_name: 'Asha Menon',
    phone: '9876543210',
    address: 'Temple Road',
    city: 'Kochi',
    postal_code: '682001',
  };
  const parse = (changes: Record<string, unknown> = {}) =>
    parseForm(profileFormSchema, { ...filled, ...changes });
  const nothing = { phone: null, address: null, city: null, postal_code: null };

  test('that is filled is taken, trimmed', () => {
    const spaced = Object.fromEntries(
      Object.entries(filled).map(([key, value]) => [key, `  ${value} `]),
    );
    expect(parse(spaced)).toEqual({ ok: true, values: filled });
  });

  test('stores null for each optional value that is empty', () =>
    eachRow(['', '   ', undefined], (empty) => {
      const blank = { phone: empty, address: empty, city: empty, postal_code: empty };
      expect(parse(blank)).toEqual({ ok: true, values: { full_name: 'Asha Menon', ...nothing } });
    }));

  test('refuses a name of fewer than 2 or more than 100 characters', () =>
    eachRow(
      [
        ['A', 'Name must be at least 2 characters'],
        [' A ', 'Name must be at least 2 characters'],
        ['', 'Name must be at least 2 characters'],
        ['a'.repeat(101), 'Name must be at most 100 characters'],
      ],
      ([full_name, message]) => {
        expect(parse({ full_name })).toEqual({ ok: false, errors: { full_name: message } });
      },
    ));

  test('takes a name of 2 to 100 characters', () =>
    eachRow(['Al', 'a'.repeat(100)], (full_name) => {
      expect(parse({ full_name }).ok).toBe(true);
    }));

  test('refuses a phone of fewer than 10 or more than 15 digits', () =>
    eachRow(
      [
        ['1', 'Phone must be at least 10 digits'],
        ['1'.repeat(9), 'Phone must be at least 10 digits'],
        [` ${'1'.repeat(9)} `, 'Phone must be at least 10 digits'],
        ['1'.repeat(16), 'Phone must be at most 15 characters'],
      ],
      ([phone, message]) => {
        expect(parse({ phone })).toEqual({ ok: false, errors: { phone: message } });
      },
    ));

  test('takes a phone of 10 to 15 digits', () =>
    eachRow([10, 15], (length) => {
      expect(parse({ phone: '1'.repeat(length) }).ok).toBe(true);
    }));

  test('limits the length of address, city and postal code', () =>
    eachRow(
      [
        ['address', 200, 'Address must be at most 200 characters'],
        ['city', 100, 'City must be at most 100 characters'],
        ['postal_code', 20, 'Postal code must be at most 20 characters'],
      ],
      ([field, most, message]) => {
        expect(parse({ [field]: 'x'.repeat(most) }).ok).toBe(true);
        expect(parse({ [field]: 'x'.repeat(most + 1) })).toEqual({
          ok: false,
          errors: { [field]: message },
        });
      },
    ));
});

describe('signing in', () => {
  const parse = (email: unknown, password: unknown) =>
    parseForm(credentialsSchema, { email, password });

  test('trims the e-mail and leaves the password alone', () => {
    expect(parse(' asha@example.com ', ' secret ')).toEqual({
      ok: true,
      values: { email: 'asha@example.com', password: ' secret ' },
    });
  });

  test('refuses a missing or invalid e-mail', () =>
    eachRow(
      [
        ['', 'Email is required'],
        ['  ', 'Email is required'],
        [undefined, 'Email is required'],
        ['asha', 'Invalid email'],
        [addressOf(256), 'Invalid email'],
      ],
      ([email, message]) => {
        expect(parse(email, 'secret')).toEqual({ ok: false, errors: { email: message } });
      },
    ));

  test('refuses a password that is missing, too short or too long', () =>
    eachRow(
      [
        ['', 'Password is required'],
        [undefined, 'Password is required'],
        ['12345', 'Password must be at least 6 characters'],
        ['1'.repeat(73), 'Password must be at most 72 characters'],
      ],
      ([password, message]) => {
        expect(parse('asha@example.com', password)).toEqual({
          ok: false,
          errors: { password: message },
        });
      },
    ));

  test('takes a password of 6 to 72 characters', () =>
    eachRow(['123456', '1'.repeat(72)], (password) => {
      expect(parse('asha@example.com', password).ok).toBe(true);
    }));
});

describe('the contact form', () => {
  const message = {
    name: 'Asha',
    email: 'asha@example.com',
    subject: 'Size',
    message: 'Do you have size 12?',
  };
  const parse = (changes: Record<string, unknown> = {}) =>
    parseForm(contactSchema, { ...message, ...changes });

  test('that is filled is taken, trimmed, with or without a subject', () => {
    expect(parse({ message: ' Hello ' })).toEqual({
      ok: true,
      values: { ...message, message: 'Hello' },
    });
    expect(parse({ subject: '' }).ok).toBe(true);
    expect(parse({ subject: undefined })).toMatchObject({ ok: true, values: { subject: '' } });
  });

  test('needs a name, an e-mail and a message', () =>
    eachRow(['name', 'email', 'message'], (field) => {
      for (const blank of ['', '   ', undefined]) {
        const errors = { [field]: 'Please fill in all required fields' };
        expect(parse({ [field]: blank })).toEqual({ ok: false, errors });
      }
    }));

  test('refuses what is no e-mail', () =>
    eachRow(
      invalidAddresses.filter((address) => address !== ''),
      (email) => {
        expect(parse({ email })).toEqual({ ok: false, errors: { email: 'Invalid email' } });
      },
    ));
});

describe('the newsletter box', () => {
  test('refuses what is no e-mail', () =>
    eachRow(invalidAddresses, (email) => {
      expect(parseForm(newsletterSchema, { email })).toEqual({
        ok: false,
        errors: { email: 'Invalid email' },
      });
    }));

  test('takes an address', () => {
    expect(parseForm(newsletterSchema, { email: ' asha@example.com' }).ok).toBe(true);
  });
});
