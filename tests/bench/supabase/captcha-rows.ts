import { ask, logIn, newEmail, recover, short, signUp, type Row } from './place.ts';

/** What asks for a token while Auth's captcha is on, and what does not. The project's AUTH_CAPTCHA must be true. */
export const captchaRows: readonly Row[] = [
  {
    name: 'captcha: sign-up, login, code and repeated mail without a token',
    want: '400 captcha_failed, 400 captcha_failed, 400 captcha_failed, 400 captcha_failed',
    async run(place) {
      const email = newEmail();
      const body = { type: 'signup', email };
      const answers = [
        await signUp(place, email),
        await logIn(place, email),
        await recover(place, email),
        await ask(place, '/auth/v1/resend', { body }),
      ];
      return answers.map(short).join(', ');
    },
  },
  {
    name: 'captcha: a code and a refresh need no token',
    want: 'no token wanted, no token wanted',
    async run(place) {
      const answers = [
        await ask(place, '/auth/v1/verify', {
          body: { email: newEmail(), token: '12345678', type: 'signup' },
        }),
        await ask(place, '/auth/v1/token?grant_type=refresh_token', {
          body: { refresh_token: 'abcdefghijkl' },
        }),
      ];
      return answers
        .map(({ code }) => (code === 'captcha_failed' ? code : 'no token wanted'))
        .join(', ');
    },
  },
];
