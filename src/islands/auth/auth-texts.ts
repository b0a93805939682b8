import { codeLength } from '#domain/account/mailed-code.ts';
import { articleOf } from '#domain/texts/article.ts';
import type { AuthFailure } from '#services/auth/account.ts';

/**
 * `code` and `forgot` request a mail with a code. `reset` follows the mail for a new password, `confirm` that of a sign-up: both set
 * the password of the signed-in account.
 */
export type AuthMode = 'login' | 'signup' | 'code' | 'forgot' | 'reset' | 'confirm';

/** Whether a mode sets the password of the account that a mail opened. */
export const setsPassword = (mode: AuthMode): mode is 'reset' | 'confirm' =>
  mode === 'reset' || mode === 'confirm';

const code = `${articleOf(codeLength)} ${String(codeLength)}-digit code`;

/** Titles, lead texts and buttons by mode; login and sign-up word for word from the spec. */
export const modeTexts: Readonly<
  Record<AuthMode, { title: string; lead: string; button: string }>
> = {
  login: { title: 'Login', lead: 'Welcome back! Please login to your account.', button: 'Login' },
  signup: { title: 'Sign Up', lead: 'Create a new account to get started.', button: 'Sign Up' },
  code: {
    title: 'Log in with a code',
    lead: `We send ${code} to your e-mail address.`,
    button: 'Send code',
  },
  forgot: {
    title: 'Forgotten password',
    lead: `We send ${code} to your e-mail address. With it you choose a new password.`,
    button: 'Send code',
  },
  reset: {
    title: 'New password',
    lead: 'Choose a new password for your account.',
    button: 'Save password',
  },
  confirm: {
    title: 'Your e-mail is confirmed',
    lead: 'Last step: choose the password for your account. It may be the one you signed up with.',
    button: 'Save password',
  },
};

/** The failed step's message (spec section 8). */
export const failureTitles: Readonly<Record<AuthMode, string>> = {
  login: 'Login failed. Please check your credentials.',
  signup: 'Registration failed. Please try again.',
  code: 'The code could not be sent. Please try again.',
  forgot: 'The code could not be sent. Please try again.',
  reset: 'The password could not be saved. Please try again.',
  confirm: 'The password could not be saved. Please try again.',
};

/** The title of every message about the security check: neither the password nor the address is wrong. */
export const securityCheckTitle = 'Security check';

/** The details of a refusal; null when the title is enough. */
export function explainFailure(reason: AuthFailure): string | null {
  switch (reason) {
    case 'unconfirmed':
      return 'Your e-mail address is not confirmed yet. Please use the code or the link in the mail that we sent you.';
    case 'too-many':
      return 'Too many attempts in a short time. Please wait a minute.';
    case 'weak-password':
      return 'Please choose a longer or less common password.';
    case 'same-password':
      return 'That is your current password. Please choose another.';
    case 'captcha':
      return 'The security check was not passed or has expired. Please press the button once more.';
    case 'wrong-code':
      return 'This code is wrong or was already used. Look at the newest mail, or send a new code.';
    case 'refused':
      return null;
  }
}
