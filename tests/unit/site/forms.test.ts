import { describe, expect, test } from 'vitest';
import { fillDelay, minFillMs } from '../../../src/domain/checkout/public-form.ts';
import { customerDetailsSchema, parseForm } from '../../../src/domain/checkout/forms.ts';
import { addressOf, invalidAddresses } from '../checkout/addresses.ts';
import { eachRow } from '../../each-row.ts';
import { useSampleTax } from '../../sample-tax.ts';

useSampleTax();

describe('customer details', () => {
  const details = {
    name: 'Asha Menon',
    email: 'asha@example.com',
    phone: '9876543210',
    address: '12 Temple Road',
    city: 'Kochi',
    postalCode: '682001',
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
          expect(parse({ [field]: `  ${'1'.repeat(length)}  ` }).ok).toBe(true);
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
