import * as z from 'zod/mini';
import { codeLifetimeMs } from '#domain/account/mailed-code.ts';
import { shop } from '#settings/shop.ts';
import { html } from '#core/platform/http/html.ts';
import { colors } from '#core/platform/http/page.ts';
import { button, letter, siteAddress, type LetterPart, type Mail } from '#core/mail/mail.ts';

/** A code of Supabase Auth, the hash that a link carries in its place, and the address that both go to. */
export const accountCodeSchema = z.object({
  email: z.string(),
  token: z.string().check(z.regex(/^\d{6,10}$/u)),
  token_hash: z.string().check(z.regex(/^[\w-]{20,200}$/u)),
});
type AccountCode = z.infer<typeof accountCodeSchema>;

/**
 * Opens the page that asks before it redeems the link. The address says there whose account it is, and where a new code goes when the
 * link is spent; browsers never send the part after # to a server.
 */
const linkOf = ({ token_hash: hash, email }: AccountCode, type: 'signup' | 'recovery'): string =>
  `/auth?token_hash=${hash}&type=${type}#email=${encodeURIComponent(email)}`;

const validity = `It is valid for ${String(codeLifetimeMs / 60_000)} minutes.`;

/** The code, large enough to read off a phone's notification. */
const largeCode = (token: string): LetterPart => ({
  text: token,
  markup: html`<p
    style="margin:18px 0;font:600 34px/1.2 Helvetica,Arial,sans-serif;letter-spacing:.16em;color:${colors.brand[700]}"
  >
    ${token}
  </p>`,
});

interface CodeLetter {
  subject: string;
  title: string;
  /** The words before the code. */
  intro: string;
  /** The words before the button, which opens the account when the page that waits for the code is closed. */
  otherwise: string;
  link: { label: string; path: string };
  /** Tells people who did not ask for the code that they need do nothing. */
  stranger: string;
}

const codeLetter = (
  { token }: AccountCode,
  { subject, title, intro, otherwise, link, stranger }: CodeLetter,
): Mail =>
  letter({
    subject,
    title,
    parts: [
      intro,
      largeCode(token),
      otherwise,
      button(link.label, siteAddress(link.path)),
      stranger,
    ],
  });

/** Composes the mail to the address of a new account, with the code that confirms it. */
export const composeSignUpCode = (code: AccountCode): Mail =>
  codeLetter(code, {
    subject: `${code.token}: confirm your account at ${shop.name}`,
    title: `Welcome to ${shop.name}`,
    intro: `Please confirm that this is your address: enter this code on the page where you signed up. ${validity}`,
    otherwise: 'If that page is closed, use this button and choose your password.',
    link: { label: 'Confirm my account', path: linkOf(code, 'signup') },
    stranger: 'If you did not sign up, ignore this e-mail, and nothing will happen.',
  });

/** Composes the mail with the code that logs in to an account, which also replaces a forgotten password. */
export const composeLoginCode = (code: AccountCode): Mail =>
  codeLetter(code, {
    subject: `${code.token} is your code at ${shop.name}`,
    title: 'Your code',
    intro: `Someone, hopefully you, asked for a code to enter your account at ${shop.name}. ${validity}`,
    otherwise:
      'If the page that asked for it is closed, use this button and choose a new password.',
    link: { label: 'Choose a new password', path: linkOf(code, 'recovery') },
    stranger: 'If it was not you, ignore this e-mail. Your password stays as it is.',
  });
