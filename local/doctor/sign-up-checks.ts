import * as z from 'zod';
import { codeLength, codeLifetimeMs } from '../../src/domain/account/mailed-code.ts';
import { shop } from '../../src/settings/shop.ts';
import { authMails } from '../sign-up/auth-mails.ts';
import { type Check, Skipped, type Target, ask, projectReference, valueOf } from './check.ts';

const settingsSchema = z.object({
  disable_signup: z.boolean(),
  mailer_autoconfirm: z.boolean(),
  external: z.object({ email: z.boolean() }),
});

/** The public settings of the project's Auth. */
async function publicSettings(target: Target): Promise<z.infer<typeof settingsSchema>> {
  const address = valueOf(target, 'PUBLIC_SUPABASE_URL');
  if (!URL.canParse(address)) throw new Skipped('the address of the database is not set.');
  const answer = await ask(new URL('/auth/v1/settings', address), {
    headers: { apikey: valueOf(target, 'PUBLIC_SUPABASE_PUBLISHABLE_KEY') },
  });
  if (!answer.ok)
    throw new Skipped(`Supabase answers ${String(answer.status)} to a request for its settings.`);
  return settingsSchema.parse(await answer.json());
}

/** https://api.supabase.com/api/v1: GET /v1/projects/{ref}/config/auth. */
const authConfigSchema = z.object({
  smtp_host: z.string().nullish(),
  smtp_admin_email: z.string().nullish(),
  smtp_sender_name: z.string().nullish(),
  site_url: z.string().nullish(),
  /** Addresses that a mail's link may lead to, with commas between them. */
  uri_allow_list: z.string().nullish(),
  rate_limit_email_sent: z.number().nullish(),
  mailer_secure_email_change_enabled: z.boolean().nullish(),
  security_update_password_require_reauthentication: z.boolean().nullish(),
  password_hibp_enabled: z.boolean().nullish(),
  security_captcha_enabled: z.boolean().nullish(),
  security_captcha_provider: z.string().nullish(),
  mailer_otp_length: z.number().nullish(),
  /** Seconds. */
  mailer_otp_exp: z.number().nullish(),
  /** Codes and links that one network may try in five minutes. */
  rate_limit_verify: z.number().nullish(),
  mailer_subjects_confirmation: z.string().nullish(),
  mailer_subjects_recovery: z.string().nullish(),
  mailer_templates_confirmation_content: z.string().nullish(),
  mailer_templates_recovery_content: z.string().nullish(),
});

/** Settings that only the management API returns. */
async function authConfig(target: Target): Promise<z.infer<typeof authConfigSchema>> {
  const { address, token } = target.supabaseApi;
  if (token === undefined)
    throw new Skipped('it needs SUPABASE_ACCESS_TOKEN (Supabase: Account, Access Tokens).');
  const answer = await ask(`${address}/v1/projects/${projectReference(target)}/config/auth`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok)
    throw new Error(
      `Supabase’s management API answers ${String(answer.status)} to SUPABASE_ACCESS_TOKEN.`,
    );
  return authConfigSchema.parse(await answer.json());
}

const squeeze = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();
const push =
  'Set the AUTH_… variables and run `npm run supabase -- config push`; docs/going-live.md has them in step 4.';
const domainOf = (address: string): string =>
  (/@([^\s<>@]+)>?$/u.exec(address.trim())?.[1] ?? '').toLowerCase();

export const signUpChecks: readonly Check[] = [
  {
    name: 'Auth asks for the security check exactly when the pages send it',
    async run(target) {
      const { security_captcha_enabled: asked, security_captcha_provider: provider } =
        await authConfig(target);
      const sent = valueOf(target, 'PUBLIC_TURNSTILE_SITE_KEY') !== '';
      if (asked === true && !sent)
        return 'Supabase asks for a captcha token and no page sends one: nobody can sign up or log in.';
      if (asked === true && provider !== 'turnstile')
        return `Supabase asks for a token of ${provider ?? 'nobody'}, the pages send one of Turnstile: nobody can sign up or log in.`;
      if (asked === true) return null;
      return sent
        ? 'The pages send a captcha token and Supabase does not look at it: robots can use up the mails of the sign-up.'
        : 'Neither Supabase nor the pages ask for a security check: robots can use up the mails of the sign-up, and mail strangers.';
    },
    fix: 'Pages first, Supabase second, as docs/going-live.md says in step 4: PUBLIC_TURNSTILE_SITE_KEY and a deploy, then AUTH_CAPTCHA=true and a push.',
  },
  {
    name: 'An address is confirmed before its account can be used',
    run: async (target) =>
      (await publicSettings(target)).mailer_autoconfirm
        ? 'Accounts are confirmed without a mail: anybody signs up with another person’s address and sees their orders.'
        : null,
    fix: 'Supabase: Authentication, Sign In / Providers, Email: turn "Confirm email" on.',
  },
  {
    name: 'Customers may sign up by e-mail',
    async run(target) {
      const { disable_signup: closed, external } = await publicSettings(target);
      if (closed) return 'Sign-up is closed.';
      return external.email ? null : 'Sign-up by e-mail is off.';
    },
    fix: 'Supabase: Authentication, Sign In / Providers: allow new users to sign up, and enable Email.',
  },
  {
    name: 'A password changes only after a fresh login',
    run: async (target) =>
      (await authConfig(target)).security_update_password_require_reauthentication === true
        ? null
        : 'Whoever holds an old session can choose a new password.',
    fix: push,
  },
  {
    name: 'Auth asks both addresses before one changes',
    run: async (target) =>
      (await authConfig(target)).mailer_secure_email_change_enabled === true
        ? null
        : '“Secure email change” is off. The database refuses a changed address, and this is the second lock.',
    fix: push,
  },
  {
    name: 'Auth’s codes are as long as the pages ask for, and hard to guess',
    async run(target) {
      const {
        mailer_otp_length: length,
        mailer_otp_exp: seconds,
        rate_limit_verify: limit,
      } = await authConfig(target);
      if (length !== codeLength)
        return `A code has ${String(length ?? 'an unknown number of')} digits, and the pages ask for ${String(codeLength)}: nobody can enter it.`;
      if (seconds === null || seconds === undefined || seconds * 1000 > codeLifetimeMs)
        return `A code is valid for ${String(seconds ?? 'an unknown number of')} seconds: a robot has more tries than the ${String(codeLifetimeMs / 60_000)} minutes that the mails promise.`;
      return (limit ?? Infinity) > 30
        ? `One network may try ${String(limit ?? 'any number of')} codes in five minutes.`
        : null;
    },
    fix: push,
  },
  {
    name: 'Auth refuses leaked passwords',
    run: async (target) =>
      (await authConfig(target)).password_hibp_enabled === true
        ? null
        : 'Customers can choose a password that is in the lists of leaked ones.',
    fix: 'Supabase: Authentication, Attack Protection: turn "Prevent use of leaked passwords" on. It needs the Pro plan.',
  },
  {
    name: 'Auth sends its mails by a sender of your own',
    async run(target) {
      const { smtp_host: host, rate_limit_email_sent: limit } = await authConfig(target);
      if (!host)
        return 'No SMTP server is set: Supabase’s own sends two mails an hour, to its team only, so nobody can sign up.';
      return (limit ?? 0) < 30 ? `Only ${String(limit ?? 0)} mails an hour are allowed.` : null;
    },
    fix: push,
  },
  {
    name: 'Auth’s sender is the shop’s',
    async run(target) {
      const {
        smtp_host: host,
        smtp_admin_email: sender,
        smtp_sender_name: name,
      } = await authConfig(target);
      if (!host) throw new Skipped('no sender is set.');
      if (!/^[a-z\d.-]+$/iu.test(host)) return `The mail server is named "${host}".`;
      if (name !== shop.name)
        return `The sign-up sends under the name "${name ?? ''}", and the shop is ${shop.name}.`;
      const [own, other] = [domainOf(valueOf(target, 'MAIL_FROM')), domainOf(sender ?? '')];
      return own === other
        ? null
        : `The sign-up sends as ${sender ?? 'nobody'}, the shop as ${valueOf(target, 'MAIL_FROM')}: mail programs take one of them for spam.`;
    },
    fix: `AUTH_SMTP_HOST is a host name, AUTH_SMTP_FROM an address of the domain of MAIL_FROM. ${push}`,
  },
  {
    name: 'Auth’s mails lead to the shop',
    async run(target) {
      const { site_url: site, uri_allow_list: allowed } = await authConfig(target);
      const expected = `${URL.parse(valueOf(target, 'URL'))?.origin ?? ''}/auth`;
      if (site !== expected)
        return `The site URL of Auth is ${site ? site : 'not set'}, and should be ${expected}.`;
      const others = (allowed ?? '')
        .split(',')
        .map((address) => address.trim())
        .filter((address) => address !== '' && address !== expected);
      return others.length === 0
        ? null
        : `A link in a mail may also lead to ${others.join(', ')}: whoever owns that address can take over an account.`;
    },
    fix: 'Set SHOP_AUTH_PAGE to the address of /auth and run `npm run supabase -- config push`, or Supabase: Authentication, URL Configuration.',
  },
  {
    name: 'Auth’s mails are the shop’s',
    async run(target) {
      const config = await authConfig(target);
      const given = {
        confirmation: {
          subject: config.mailer_subjects_confirmation,
          html: config.mailer_templates_confirmation_content,
        },
        recovery: {
          subject: config.mailer_subjects_recovery,
          html: config.mailer_templates_recovery_content,
        },
      };
      const expected = await authMails();
      const differs = (part: 'subject' | 'html'): string[] =>
        (['confirmation', 'recovery'] as const).filter(
          (name) => squeeze(given[name][part] ?? '') !== squeeze(expected[name][part]),
        );
      const [subjects, texts] = [differs('subject'), differs('html')];
      if (texts.length > 0)
        return `The text of the mail for ${texts.join(' and ')} is not this shop’s: links of Supabase’s usual one are used up by mail scanners.`;
      return subjects.length === 0
        ? null
        : `The subject of the mail for ${subjects.join(' and ')} is not this shop’s.`;
    },
    fix: 'Run `npm run supabase -- config push`: it brings both mails and their subjects.',
  },
];
