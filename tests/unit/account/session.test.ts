import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { initials } from '#domain/account/initials.ts';
import { userFromAuth, userFromStoredSession } from '#domain/account/session.ts';
import { eachRow } from '#tests/each-row.ts';

const auth = (metadata: unknown) => ({
  id: 'u1',
  email: 'asha@example.com',
  user_metadata: metadata,
});
const asha = { id: 'u1', email: 'asha@example.com', name: 'Asha Menon' };

describe('a user from the auth service', () => {
  test('is named by the name in the metadata, or else by the full name there', () =>
    eachRow<[unknown, string]>(
      [
        [{ name: 'Asha Menon' }, 'Asha Menon'],
        [{ name: 'Asha', full_name: 'Asha Menon' }, 'Asha'],
        [{ name: '  ', full_name: ' Asha Menon ' }, 'Asha Menon'],
        [{ name: 7, full_name: { a: 1 } }, ''],
        [null, ''],
        [undefined, ''],
      ],
      ([metadata, name]) => {
        expect(userFromAuth(auth(metadata))).toEqual({ ...asha, name });
      },
    ));

  test('is none without an id, and may have no e-mail address', () => {
    for (const value of [null, 5, [], {}, { id: '' }, { id: 7 }, { email: 'a@b.in' }])
      expect(userFromAuth(value)).toBeNull();
    expect(userFromAuth({ id: 'u1' })).toEqual({ id: 'u1', email: '', name: '' });
  });
});

describe('a stored session', () => {
  test('gives its user', () => {
    const text = JSON.stringify({
      access_token: 'a',
      refresh_token: 'r',
      user: auth({ name: 'Asha Menon' }),
    });
    expect(userFromStoredSession(text)).toEqual(asha);
  });

  test('that cannot be read means nobody is signed in', () =>
    eachRow(
      [
        null,
        '',
        '[]',
        '{',
        'base64-eyJ9',
        JSON.stringify({ user: auth({}) }),
        JSON.stringify({ refresh_token: 5, user: auth({}) }),
        JSON.stringify({ refresh_token: 'r' }),
        JSON.stringify({ refresh_token: 'r', user: 'u1' }),
      ],
      (text) => {
        expect(userFromStoredSession(text)).toBeNull();
      },
    ));

  test('any text gives a user with an id or null, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(userFromStoredSession(text)?.id).not.toBe('');
      }),
    );
  });
});

describe('initials', () => {
  test('are the first letters of the first and the last name, or U for nobody', () =>
    eachRow(
      [
        ['Asha Lakshmi Menon', 'AM'],
        ['  Asha \t Menon ', 'AM'],
        ['മീര നായർ', 'മന'],
        ['', 'U'],
        [null, 'U'],
        [undefined, 'U'],
      ],
      ([name, expected]) => {
        expect(initials(name)).toBe(expected);
      },
    ));
});
