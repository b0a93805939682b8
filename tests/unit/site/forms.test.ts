import { describe, expect, test } from 'vitest';
import { fillDelay, minFillMs } from '#domain/checkout/public-form.ts';
import {
  contactSchema,
  missingContact,
  credentialsSchema,
  customerDetailsSchema,
  newsletterSchema,
  parseForm,
  profileFormSchema,
} from '#domain/checkout/forms.ts';
import { addressOf, invalidAddresses, typedDetails } from '#tests/unit/checkout/addresses.ts';
import { eachRow } from '#tests/each-row.ts';
import { useSampleTax } from '#tests/sample-tax.ts';

useSampleTax();

describe('customer details', () => {
  const details = {
    ...typedDetails,
    notes: 'Ring twice',
    gstin: '27AAPFU0939F1ZV',
    giftNote: 'For Amma',
    recipientName: 'Lakshmi Nair',
    recipientPhone: '98950 54321',
  };
  const parse = (changes: Record<string, unknown> = {}) =>
    parseForm(customerDetailsSchema, { ...details, ...changes });

  test('that are complete are taken as they are', () => {
    expect(parse()).toEqual({ ok: true, values: details });
  });

  test('name who gets a gift, or nobody', () => {
    expect(parse({ recipientName: ' ', recipientPhone: '' })).toMatchObject({
      values: { recipientName: '', recipientPhone: '' },
    });
    expect(parse({ recipientName: 'L', recipientPhone: '98950 5432' })).toEqual({
      ok: false,
      errors: {
        recipientName: 'Name must be at least 2 characters',
        recipientPhone: 'Phone numbers in India have ten digits.',
      },
    });
  });

  test('are trimmed, every one', () => {
    const spaced = Object.fromEntries(
      Object.entries(details).map(([key, value]) => [key, ` \t${value}\n `]),
    );
    expect(parse(spaced)).toEqual({ ok: true, values: details });
  });

  test('have a least and a most length in every field, without the spaces around it', () =>
    eachRow(
      [
        ['name', 2, 100, 'Name', 'characters'],
        ['phone', 10, 20, 'Phone number', 'digits'],
        ['address', 10, 500, 'Address', 'characters'],
        ['city', 2, 100, 'City', 'characters'],
        ['postalCode', 4, 10, 'Postal code', 'characters'],
      ] as const,
      ([field, least, most, label, units]) => {
        const refused = (value: string | undefined, message: string) => {
          const errors = { [field]: `${label} must be ${message}` };
          expect(parse({ [field]: value })).toEqual({ ok: false, errors });
        };
        for (const value of ['', undefined, `  ${'1'.repeat(least - 1)}  `])
          refused(value, `at least ${String(least)} ${units}`);
        refused('1'.repeat(most + 1), `at most ${String(most)} characters`);
        for (const length of [least, most])
          expect(parse({ [field]: `  ${'9'.padEnd(length, '1')}  ` }).ok).toBe(true);
      },
    ));

  test('with a valid e-mail are taken, and with any other refused', async () => {
    for (const email of ['a@b.in', 'asha.menon+ring@mail.example.co.in', addressOf(255)])
      expect(parse({ email })).toMatchObject({ ok: true, values: { email } });
    await eachRow([...invalidAddresses, undefined, addressOf(256)], (email) => {
      expect(parse({ email })).toEqual({ ok: false, errors: { email: 'Invalid email' } });
    });
    expect(parseForm(customerDetailsSchema, null).ok).toBe(false);
  });

  test('a GSTIN may be missing or empty, and is one when it is there', () => {
    expect(parse({ gstin: undefined })).toMatchObject({ ok: true, values: { gstin: '' } });
    expect(parse({ gstin: ' 27aapfu 0939f1zv ' })).toMatchObject({
      ok: true,
      values: { gstin: '27AAPFU0939F1ZV' },
    });
    expect(parse({ gstin: '27AAPFU0939F1ZW' })).toEqual({
      ok: false,
      errors: { gstin: 'This is not a GSTIN: 15 characters, such as 32AABCU9603R1ZW' },
    });
  });

  test('notes may be missing or empty, up to 1000 characters', () => {
    expect(parse({ notes: undefined })).toMatchObject({ ok: true, values: { notes: '' } });
    expect(parse({ notes: '  ' })).toMatchObject({ ok: true, values: { notes: '' } });
    expect(parse({ notes: 'n'.repeat(1000) }).ok).toBe(true);
    expect(parse({ notes: 'n'.repeat(1001) })).toEqual({
      ok: false,
      errors: { notes: 'Notes must be at most 1000 characters' },
    });
  });
});

test('a form waits a little longer than the server asks for, because timers may fire early, and no longer than that', () => {
  for (const openMs of [0, 1_999, minFillMs])
    expect(openMs + fillDelay(openMs)).toBeGreaterThan(minFillMs);
  expect(fillDelay(60_000)).toBe(0);
});

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

  test('that is filled is taken, trimmed, with null for each optional value that is empty', () => {
    const spaced = Object.fromEntries(
      Object.entries(filled).map(([key, value]) => [key, `  ${value} `]),
    );
    expect(parse(spaced)).toEqual({ ok: true, values: filled });
    expect(parse({ phone: '', address: '   ', city: undefined, postal_code: '' })).toEqual({
      ok: true,
      values: {
        full_name: 'Asha Menon',
        phone: null,
        address: null,
        city: null,
        postal_code: null,
      },
    });
  });

  test('has a least and a most length in each field', () =>
    eachRow(
      [
        ['full_name', ['Al', 'a'.repeat(100)], 'A', 'Name must be at least 2 characters'],
        ['full_name', [], ' A ', 'Name must be at least 2 characters'],
        ['full_name', [], 'a'.repeat(101), 'Name must be at most 100 characters'],
        ['phone', ['9111111111'], ' 123456789 ', 'Phone must be at least 10 digits'],
        ['phone', ['91'.padEnd(15, '2')], '1'.repeat(16), 'Phone must be at most 15 characters'],
        ['address', ['x'.repeat(200)], 'x'.repeat(201), 'Address must be at most 200 characters'],
        ['city', ['x'.repeat(100)], 'x'.repeat(101), 'City must be at most 100 characters'],
        [
          'postal_code',
          ['x'.repeat(20)],
          'x'.repeat(21),
          'Postal code must be at most 20 characters',
        ],
      ] as const,
      ([field, good, bad, message]) => {
        for (const value of good) expect(parse({ [field]: value }).ok).toBe(true);
        expect(parse({ [field]: bad })).toEqual({ ok: false, errors: { [field]: message } });
      },
    ));
});

test('signing in trims the e-mail, leaves the password alone, and refuses what is missing, too short or too long', () => {
  const parse = (changes: Record<string, unknown>) =>
    parseForm(credentialsSchema, { email: 'asha@example.com', password: 'secret', ...changes });
  expect(parse({ email: ' asha@example.com ', password: ' secret ' })).toEqual({
    ok: true,
    values: { email: 'asha@example.com', password: ' secret ' },
  });
  for (const password of ['123456', '1'.repeat(72)]) expect(parse({ password }).ok).toBe(true);
  return eachRow(
    [
      [{ email: '  ' }, { email: 'Email is required' }],
      [{ email: undefined }, { email: 'Email is required' }],
      [{ email: 'asha' }, { email: 'Invalid email' }],
      [{ email: addressOf(256) }, { email: 'Invalid email' }],
      [{ password: '' }, { password: 'Password is required' }],
      [{ password: undefined }, { password: 'Password is required' }],
      [{ password: '12345' }, { password: 'Password must be at least 6 characters' }],
      [{ password: '1'.repeat(73) }, { password: 'Password must be at most 72 characters' }],
    ],
    ([changes, errors]) => {
      expect(parse(changes)).toEqual({ ok: false, errors });
    },
  );
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

  test('needs a name, an e-mail that is one, and a message', () => {
    expect(parse({ email: 'asha' })).toEqual({ ok: false, errors: { email: 'Invalid email' } });
    return eachRow(['name', 'email', 'message'] as const, (field) => {
      for (const blank of ['', '   ', undefined]) {
        const errors = { [field]: missingContact[field] };
        expect(parse({ [field]: blank })).toEqual({ ok: false, errors });
      }
    });
  });
});

test('the newsletter box takes an address, and nothing that is none', () => {
  expect(parseForm(newsletterSchema, { email: ' asha@example.com' }).ok).toBe(true);
  expect(parseForm(newsletterSchema, { email: 'asha' })).toEqual({
    ok: false,
    errors: { email: 'Invalid email' },
  });
});
