import { describe, expect, test, vi } from 'vitest';
import { readMode, readNext } from '../../../src/islands/auth/auth-address.ts';
import { explainLink } from '../../../src/islands/auth/auth-texts.ts';
import { checkCredentials } from '../../../src/islands/auth/check-credentials.ts';
import { failureOf } from '../../../src/services/auth/account.ts';
import { codeLifetimeMs, readCode } from '../../../src/domain/account/mailed-code.ts';
import { readMailedLink, withoutMailedLink } from '../../../src/services/auth/mailed-link.ts';
import {
  rememberMailRequest,
  takeMailRequest,
} from '../../../src/services/storage/stored-mail-request.ts';
import { rememberNext, takeNext } from '../../../src/services/storage/stored-next-path.ts';
import { eachRow } from '../../each-row.ts';

const origin = 'https://shop.example';

describe('where a login leads', () => {
  test('a path of this site is followed, with its query', () => {
    expect(readNext('/cart?checkout=1')).toBe('/cart?checkout=1');
  });

  test('a foreign address redirects to the home page', () =>
    eachRow(
      ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)', ''],
      (next) => {
        expect(readNext(next)).toBe('/');
      },
    ));

  test('the login itself leads home, not in a circle', () =>
    eachRow(['/auth', '/auth?next=/auth', '/auth/'], (next) => {
      expect(readNext(next)).toBe('/');
    }));

  test('a page whose name begins like the login is followed', () => {
    expect(readNext('/authors')).toBe('/authors');
  });

  test('the way on is remembered for an hour, once', () => {
    const stored = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, text: string) => stored.set(key, text),
      removeItem: (key: string) => stored.delete(key),
    });
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

  test('a requested mail is remembered per address as long as its link works', () => {
    const stored = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, text: string) => stored.set(key, text),
      removeItem: (key: string) => stored.delete(key),
    });
    vi.useFakeTimers();
    rememberMailRequest('Anjali@Example.com');
    expect([takeMailRequest('thief@example.com'), takeMailRequest('anjali@example.com')]).toEqual([
      false,
      true,
    ]);
    expect(takeMailRequest('anjali@example.com')).toBe(false);
    rememberMailRequest('anjali@example.com');
    vi.advanceTimersByTime(codeLifetimeMs + 1);
    expect(takeMailRequest('anjali@example.com')).toBe(false);
    vi.useRealTimers();
  });

  test('an unknown mode is the login', () => {
    expect(readMode('?mode=signup')).toBe('signup');
    expect(readMode('?mode=admin')).toBe('login');
    expect(readMode('')).toBe('login');
  });
});

describe('mailed links', () => {
  test('a session comes from the fragment', () => {
    const link = readMailedLink(
      new URL(`${origin}/auth#access_token=a&refresh_token=r&type=signup`),
    );
    expect(link).toEqual({ kind: 'session', type: 'signup', accessToken: 'a', refreshToken: 'r' });
  });

  test('a session in the query is ignored, because queries are logged', () => {
    expect(readMailedLink(new URL(`${origin}/auth?access_token=a&refresh_token=r`))).toBeNull();
  });

  test('an expired link is recognised by its code in query or fragment', () => {
    const refused = { kind: 'refused', code: 'otp_expired', description: 'Email link is invalid' };
    const words =
      'error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid';
    expect(readMailedLink(new URL(`${origin}/auth#${words}`))).toEqual(refused);
    expect(readMailedLink(new URL(`${origin}/auth?${words}`))).toEqual(refused);
    expect(explainLink('otp_expired')).toContain('expired');
  });

  test('a code and a token hash are recognised as links; an ordinary address is not', () => {
    expect(readMailedLink(new URL(`${origin}/auth?code=c1`))).toEqual({ kind: 'code', code: 'c1' });
    expect(readMailedLink(new URL(`${origin}/auth?token_hash=h&type=recovery`))).toEqual({
      kind: 'token-hash',
      type: 'recovery',
      tokenHash: 'h',
    });
    expect(readMailedLink(new URL(`${origin}/auth?next=/cart#top`))).toBeNull();
  });

  test('the cleaned address keeps what is ours', () => {
    const address = new URL(`${origin}/auth?mode=reset&next=%2Fcart&code=c1#access_token=a`);
    expect(withoutMailedLink(address)).toBe('/auth?mode=reset&next=%2Fcart');
  });
});

describe('the fields of a mode', () => {
  const values = { email: ' a@b.example ', password: 'secret1' };

  test('login and sign-up ask for both, trimmed', () => {
    expect(checkCredentials('login', values)).toEqual({
      ok: true,
      values: { email: 'a@b.example', password: 'secret1' },
    });
    expect(checkCredentials('signup', { email: '', password: 'short' })).toEqual({
      ok: false,
      errors: { email: 'Email is required', password: 'Password must be at least 6 characters' },
    });
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

  test('a mail with a code asks for the e-mail alone, a new password for the password alone', () => {
    for (const mode of ['forgot', 'code'] as const)
      expect(checkCredentials(mode, { ...values, password: '' })).toEqual({
        ok: true,
        values: { email: 'a@b.example', password: '' },
      });
    expect(checkCredentials('reset', { email: '', password: 'secret1' })).toEqual({
      ok: true,
      values: { email: '', password: 'secret1' },
    });
    expect(checkCredentials('reset', { email: 'a@b.example', password: '' }).ok).toBe(false);
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
      ['12345678', '12345678'],
      ['1234 5678', '12345678'],
      [' Your code: 1234-5678. ', '12345678'],
      ['123456789', '12345678'],
      ['12a', '12'],
      ['', ''],
    ],
    ([text, code]) => {
      expect(readCode(text)).toBe(code);
    },
  ));
