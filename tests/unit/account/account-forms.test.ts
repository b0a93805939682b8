import { describe, expect, test } from 'vitest';
import {
  contactSchema,
  credentialsSchema,
  newsletterSchema,
  parseForm,
  profileFormSchema,
} from '../../../src/domain/checkout/forms.ts';
import { addressOf, invalidAddresses } from '../checkout/addresses.ts';

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
    const spaced = Object.fromEntries(Object.entries(filled).map(([key, value]) => [key, `  ${value} `]));
    expect(parse(spaced)).toEqual({ ok: true, values: filled });
  });

  test.each(['', '   ', undefined])('stores null for each optional value that is %j', (empty) => {
    const blank = { phone: empty, address: empty, city: empty, postal_code: empty };
    expect(parse(blank)).toEqual({ ok: true, values: { full_name: 'Asha Menon', ...nothing } });
  });

  test.each([
    ['A', 'Name must be at least 2 characters'],
    [' A ', 'Name must be at least 2 characters'],
    ['', 'Name must be at least 2 characters'],
    ['a'.repeat(101), 'Name must be at most 100 characters'],
  ])('refuses the name %j', (full_name, message) => {
    expect(parse({ full_name })).toEqual({ ok: false, errors: { full_name: message } });
  });

  test.each(['Al', 'a'.repeat(100)])('takes the name %j', (full_name) => {
    expect(parse({ full_name }).ok).toBe(true);
  });

  test.each([
    ['1', 'Phone must be at least 10 digits'],
    ['1'.repeat(9), 'Phone must be at least 10 digits'],
    [` ${'1'.repeat(9)} `, 'Phone must be at least 10 digits'],
    ['1'.repeat(16), 'Phone must be at most 15 characters'],
  ])('refuses the phone %j', (phone, message) => {
    expect(parse({ phone })).toEqual({ ok: false, errors: { phone: message } });
  });

  test.each([10, 15])('takes a phone of %i digits', (length) => {
    expect(parse({ phone: '1'.repeat(length) }).ok).toBe(true);
  });

  test.each([
    ['address', 200, 'Address must be at most 200 characters'],
    ['city', 100, 'City must be at most 100 characters'],
    ['postal_code', 20, 'Postal code must be at most 20 characters'],
  ])('%s has at most %i characters', (field, most, message) => {
    expect(parse({ [field]: 'x'.repeat(most) }).ok).toBe(true);
    expect(parse({ [field]: 'x'.repeat(most + 1) })).toEqual({ ok: false, errors: { [field]: message } });
  });
});

describe('signing in', () => {
  const parse = (email: unknown, password: unknown) => parseForm(credentialsSchema, { email, password });

  test('trims the e-mail and leaves the password alone', () => {
    expect(parse(' asha@example.com ', ' secret ')).toEqual({
      ok: true,
      values: { email: 'asha@example.com', password: ' secret ' },
    });
  });

  test.each([
    ['', 'Email is required'],
    ['  ', 'Email is required'],
    [undefined, 'Email is required'],
    ['asha', 'Invalid email'],
    [addressOf(256), 'Invalid email'],
  ])('refuses the e-mail %j', (email, message) => {
    expect(parse(email, 'secret')).toEqual({ ok: false, errors: { email: message } });
  });

  test.each([
    ['', 'Password is required'],
    [undefined, 'Password is required'],
    ['12345', 'Password must be at least 6 characters'],
    ['1'.repeat(73), 'Password must be at most 72 characters'],
  ])('refuses the password %j', (password, message) => {
    expect(parse('asha@example.com', password)).toEqual({ ok: false, errors: { password: message } });
  });

  test.each(['123456', '1'.repeat(72)])('takes the password %j', (password) => {
    expect(parse('asha@example.com', password).ok).toBe(true);
  });
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
    expect(parse({ message: ' Hello ' })).toEqual({ ok: true, values: { ...message, message: 'Hello' } });
    expect(parse({ subject: '' }).ok).toBe(true);
    expect(parse({ subject: undefined })).toMatchObject({ ok: true, values: { subject: '' } });
  });

  test.each(['name', 'email', 'message'])('needs %s', (field) => {
    for (const blank of ['', '   ', undefined]) {
      const errors = { [field]: 'Please fill in all required fields' };
      expect(parse({ [field]: blank })).toEqual({ ok: false, errors });
    }
  });

  test.each(invalidAddresses.filter((address) => address !== ''))('refuses the e-mail %j', (email) => {
    expect(parse({ email })).toEqual({ ok: false, errors: { email: 'Invalid email' } });
  });
});

describe('the newsletter box', () => {
  test.each(invalidAddresses)('refuses %j', (email) => {
    expect(parseForm(newsletterSchema, { email })).toEqual({ ok: false, errors: { email: 'Invalid email' } });
  });

  test('takes an address', () => {
    expect(parseForm(newsletterSchema, { email: ' asha@example.com' }).ok).toBe(true);
  });
});
