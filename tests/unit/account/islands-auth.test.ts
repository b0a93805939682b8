import { describe, expect, test, vi } from 'vitest';
import { readMode, readNext } from '#islands/auth/auth-address.ts';
import { checkCredentials } from '#islands/auth/check-credentials.ts';
import { failureOf } from '#services/auth/account.ts';
import { readCode } from '#domain/account/mailed-code.ts';
import { readMailedLink, withoutMailedLink } from '#services/auth/mailed-link.ts';
import { rememberNext, takeNext } from '#services/storage/stored-next-path.ts';
import { stubStorage } from '#tests/unit/support/browser.ts';
import { eachRow } from '#tests/each-row.ts';

const origin = 'https://shop.example';

describe('where a login leads', () => {
  test('a path of this site is followed, with its query; a foreign address and the login itself lead home', () =>
    eachRow(
      [
        ['/cart?checkout=1', '/cart?checkout=1'],
        ['/authors', '/authors'],
        ['https://evil.example/', '/'],
        ['//evil.example', '/'],
        ['', '/'],
        ['/auth', '/'],
        ['/auth?next=/auth', '/'],
        ['/auth/', '/'],
      ],
      ([next, path]) => {
        expect(readNext(next)).toBe(path);
      },
    ));

  test('the way on is remembered for an hour, once', () => {
    stubStorage('localStorage');
    vi.useFakeTimers();
    rememberNext('/cart?checkout=1');
    expect(takeNext()).toBe('/cart?checkout=1');
    expect(takeNext()).toBeNull();
    rememberNext('/profile');
    vi.advanceTimersByTime(3_600_001);
    expect(takeNext()).toBeNull();
    rememberNext('/profile');
    rememberNext('/');
    expect(takeNext()).toBeNull();
    vi.useRealTimers();
  });

  test('an unknown mode is the login', () => {
    expect(readMode('?mode=signup')).toBe('signup');
    expect(readMode('?mode=admin')).toBe('login');
    expect(readMode('')).toBe('login');
  });
});

describe('mailed links', () => {
  const read = (path: string) => readMailedLink(new URL(`${origin}${path}`));

  test('a link has its token in the query and its address after #', () => {
    expect(read('/auth?token_hash=h&type=signup#email=Anjali%40Example.com')).toEqual({
      type: 'signup',
      tokenHash: 'h',
      email: 'anjali@example.com',
    });
  });

  test('a link without a readable address is a link all the same', () =>
    eachRow(
      ['', '#email=', '#email=call%20this%20number%20%40once', `#email=${'a'.repeat(255)}%40b.in`],
      (fragment) => {
        expect(read(`/auth?token_hash=h&type=recovery${fragment}`)).toEqual({
          type: 'recovery',
          tokenHash: 'h',
          email: '',
        });
      },
    ));

  test('a session or a code that an address brings is no link of the shop', () =>
    eachRow(
      ['/auth?next=/cart#top', '/auth#access_token=a&refresh_token=r&type=signup', '/auth?code=c1'],
      (path) => {
        expect(read(path)).toBeNull();
      },
    ));

  test('the cleaned address keeps what is ours', () => {
    const address = new URL(`${origin}/auth?next=%2Fcart&token_hash=h&type=signup#email=a%40b.in`);
    expect(withoutMailedLink(address)).toBe('/auth?next=%2Fcart');
  });
});

describe('the fields of a mode', () => {
  const values = { email: ' a@b.example ', password: 'secret1' };

  test('login and sign-up ask for both, a mail with a code for the e-mail alone, a new password for the password alone', () => {
    const trimmed = { email: 'a@b.example', password: 'secret1' };
    expect(checkCredentials('login', values)).toEqual({ ok: true, values: trimmed });
    expect(checkCredentials('signup', { email: '', password: 'short' })).toEqual({
      ok: false,
      errors: { email: 'Email is required', password: 'Password must be at least 6 characters' },
    });
    for (const mode of ['forgot', 'code'] as const)
      expect(checkCredentials(mode, { ...values, password: '' })).toEqual({
        ok: true,
        values: { ...trimmed, password: '' },
      });
    expect(checkCredentials('reset', { ...values, email: '' })).toEqual({
      ok: true,
      values: { ...trimmed, email: '' },
    });
    expect(checkCredentials('reset', { ...values, password: '' }).ok).toBe(false);
  });

  test('a new password has no more bytes than are kept of it; an older one still logs in', () => {
    const password = `${'ക'.repeat(24)}1`;
    for (const mode of ['signup', 'reset', 'confirm'] as const) {
      expect(checkCredentials(mode, { ...values, password })).toEqual({
        ok: false,
        errors: {
          password: 'Password is too long: at most 24 letters of Indian scripts or 18 emoji',
        },
      });
      expect(checkCredentials(mode, { ...values, password: 'ക'.repeat(24) }).ok).toBe(true);
    }
    expect(checkCredentials('login', { ...values, password }).ok).toBe(true);
  });
});

test('only a limit of the whole project is reported to the shop, not that of one address or network', () => {
  const beacons: string[] = [];
  vi.stubGlobal('navigator', {
    sendBeacon: (address: string) => beacons.push(address),
  });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const refuse = (code: string, message: string): unknown =>
    failureOf({ name: 'AuthApiError', status: 429, code, message }, 'Registration');
  // The messages of Supabase Auth.
  const tooMany = { ok: false, reason: 'too-many' };
  expect(
    refuse(
      'over_email_send_rate_limit',
      'For security purposes, you can only request this after 59 seconds.',
    ),
  ).toEqual(tooMany);
  expect(refuse('over_request_rate_limit', 'Request rate limit reached')).toEqual(tooMany);
  expect(beacons).toEqual([]);
  expect(refuse('over_email_send_rate_limit', 'email rate limit exceeded')).toEqual(tooMany);
  expect(beacons).toEqual(['/api/sign-up-refused']);
});

test('a mail that the shop’s function could not send is an outage, no fault of what was typed', () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  for (const [status, code] of [
    [422, 'hook_timeout'],
    [422, 'hook_timeout_after_retry'],
    [500, 'unexpected_failure'],
  ] as const)
    expect(() =>
      failureOf({ name: 'AuthApiError', status, code, message: 'Failed' }, 'Registration'),
    ).toThrow('The sign-in service cannot be reached.');
});

test('a code is read however it is pasted, and never longer than eight digits', () =>
  eachRow(
    [
      ['1234 5678', '12345678'],
      [' Your code: 1234-5678. ', '12345678'],
      ['123456789', '12345678'],
      ['', ''],
    ],
    ([text, code]) => {
      expect(readCode(text)).toBe(code);
    },
  ));
