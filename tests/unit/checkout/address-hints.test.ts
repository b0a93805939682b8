import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addressQuestions,
  cityQuestion,
  phoneHint,
  postalCodeHint,
  stillAsked,
} from '#domain/checkout/address-hints.ts';
import { customerDetailsSchema, parseForm, profileFormSchema } from '#domain/checkout/forms.ts';
import { phoneRefusal, readPhone } from '#domain/checkout/phone.ts';
import { typedDetails } from './addresses.ts';
import { eachRow } from '#tests/each-row.ts';

const usable = [
  ['9847012345', '9847012345'],
  ['+91 98470 12345', '9847012345'],
  ['098470-12345', '9847012345'],
  ['919847012345', '9847012345'],
  ['+91 0 98470 12345', '9847012345'],
  ['(98470) 12345', '9847012345'],
  ['98470–12345', '9847012345'],
  ['9198470123', '9198470123'],
  ['0091 98470 12345', '9847012345'],
  ['0484-2345678', '4842345678'],
] as const;
const unusable = [
  '98470123456',
  '0484234567',
  '+44 7911 123456',
  '+98 4701 2345 67',
  '९८४७०१२३४५',
] as const;

const notNumbers = ['0484-abcdefgh', '12345abcde', 'abcdefghij', 'ഒമ്പത് എട്ട്', '(--) ------'];
/** What is typed in the place of a number. */
const fillers = [
  '0000000000',
  '1111111111',
  '99999 99999',
  '1234567890',
  '+911234567890',
  '0123456789',
];
/** Numbers that look like these, and may be somebody's. */
const realNumbers = [
  '9876543210',
  '9999999998',
  '6789012345',
  '011-2345 6789',
  '+1 234 567 8901',
  '0484 2222222',
];

describe('a phone number', () => {
  test('that somebody may have is refused by no form', () =>
    eachRow(realNumbers, (text) => {
      expect(phoneRefusal(text)).toBeNull();
      expect(parseForm(customerDetailsSchema, { ...typedDetails, phone: text }).ok).toBe(true);
    }));

  test('that can be called in India is its ten digits, however it is written', () =>
    eachRow(usable, ([text, digits]) => {
      expect(readPhone(text)).toBe(digits);
      expect(phoneHint(text)).toBe('');
      expect(addressQuestions({ phone: text })).toEqual({});
    }));

  test('of any other kind has a hint and a question', () =>
    eachRow(unusable, (text) => {
      expect(readPhone(text)).toBeNull();
      expect(phoneHint(text)).toContain('ten digits');
      expect(addressQuestions({ phone: ` ${text} ` })).toEqual({
        phone: `Phone numbers in India have ten digits. Use ${text} all the same?`,
      });
    }));

  test('that can be none is refused by every form, and not asked about', () =>
    eachRow([...notNumbers, ...fillers], (text) => {
      const phone = phoneRefusal(text);
      expect(phone).toMatch(
        /^A phone number has (?:no letters|digits)\.$|^This number cannot be called\./u,
      );
      expect(addressQuestions({ phone: text })).toEqual({});
      expect(parseForm(customerDetailsSchema, { ...typedDetails, phone: text })).toEqual({
        ok: false,
        errors: { phone },
      });
      expect(parseForm(customerDetailsSchema, { ...typedDetails, recipientPhone: text })).toEqual({
        ok: false,
        errors: { recipientPhone: phone },
      });
      expect(parseForm(profileFormSchema, { full_name: 'Anjali', phone: text })).toEqual({
        ok: false,
        errors: { phone },
      });
    }));

  test('has no hint while it is typed', () =>
    eachRow(['', '98470', '98470 1234'], (text) => {
      expect(phoneHint(text)).toBe('');
    }));

  test('gives the last ten of its digits, the key by which SQL knows a customer', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: fc.constantFrom(...'0123456789+- ()'.split('')), maxLength: 20 }),
          fc.constantFrom(...usable).map(([text]) => text),
        ),
        (text) => {
          const digits = text.replaceAll(/\D/gu, '');
          expect([null, digits.slice(-10)]).toContain(readPhone(text));
        },
      ),
    );
  });
});

describe('a city', () => {
  const saved = { city: 'Thrissur', postalCode: '680001' };

  test('that stays while its PIN code moves to another town or state is asked about', () =>
    eachRow(
      [
        ['682016', 'Kochi', '682016 is in Kochi. Send it to Thrissur all the same?'],
        ['110001', null, '110001 is in Delhi. Send it to Thrissur all the same?'],
      ] as const,
      ([postalCode, town, question]) => {
        expect(cityQuestion({ ...saved, postalCode }, saved, town)).toBe(question);
      },
    ));

  test('has no question where nothing says that it is another one', () =>
    eachRow(
      [
        ['the same PIN code', { ...saved, postalCode: '680 001' }, 'Kochi'],
        ['another PIN code of the town', { ...saved, postalCode: '680005' }, 'thrissur'],
        ['a PIN code of the state whose town is unknown', { ...saved, postalCode: '683101' }, null],
        ['a city that was typed anew', { city: 'Aluva', postalCode: '683101' }, 'Kochi'],
        ['no whole PIN code', { ...saved, postalCode: '6820' }, 'Kochi'],
        ['no city', { city: '', postalCode: '682016' }, 'Kochi'],
      ] as const,
      ([, now, town]) => {
        expect(cityQuestion(now, saved, town)).toBeNull();
        expect(cityQuestion(now, { ...saved, postalCode: '' }, town)).toBeNull();
      },
    ));
});

describe('a PIN code', () => {
  const army = 'This PIN code belongs to the army’s post. Please ask us before you order.';
  const none = 'This PIN code does not exist. Please check it.';
  const six = 'PIN codes have six digits.';

  test('names its state, or what is wrong with it, which is also the question', () =>
    eachRow(
      [
        [' 682 001 ', 'Kerala', null],
        ['110001', 'Delhi', null],
        ['', '', null],
        ['68', '', six],
        ['6820', six, six],
        ['ABCD', six, six],
        ['900001', army, army],
        ['290001', none, none],
      ] as const,
      ([text, hint, problem]) => {
        expect(postalCodeHint(text)).toBe(hint);
        expect(addressQuestions({ postalCode: text })).toEqual(
          problem === null ? {} : { postalCode: `${problem} Send it to ${text} all the same?` },
        );
      },
    ));

  test('that begins with 0 is refused by every form, and not asked about', () =>
    eachRow(['000000', '068 2001', '012345'], (text) => {
      const message = 'No PIN code begins with 0.';
      expect(postalCodeHint(text)).toBe(message);
      expect(addressQuestions({ postalCode: text })).toEqual({});
      expect(parseForm(customerDetailsSchema, { ...typedDetails, postalCode: text })).toEqual({
        ok: false,
        errors: { postalCode: message },
      });
      expect(parseForm(profileFormSchema, { full_name: 'Anjali', postal_code: text })).toEqual({
        ok: false,
        errors: { postal_code: message },
      });
    }));
});

test('of the details that a customer was asked about, those are left that still have a question', () => {
  const details = { postalCode: '68201', phone: '9847012345' };
  expect(stillAsked(['postal_code', 'phone'], details)).toEqual(['postal_code']);
  expect(stillAsked([], details)).toEqual([]);
});
