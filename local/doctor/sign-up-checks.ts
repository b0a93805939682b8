import * as z from 'zod';
import { codeLength, codeLifetimeMs, resendAfterMs } from '#domain/account/mailed-code.ts';
import {
  createSendEmailHook,
  sendEmailAddress,
} from '#local/emulators/supabase/auth/send-email-hook.ts';
import { type Check, Skipped, type Target, ask, projectReference, valueOf } from './check.ts';
import { openSite } from './live-site.ts';

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
  hook_send_email_enabled: z.boolean().nullish(),
  hook_send_email_uri: z.string().nullish(),
  site_url: z.string().nullish(),
  /** Addresses that a mail's link may lead to, with commas between them. */
  uri_allow_list: z.string().nullish(),
  /** Mails an hour. */
  rate_limit_email_sent: z.number().nullish(),
  /** Seconds between two mails to one account. */
  smtp_max_frequency: z.number().nullish(),
  mfa_totp_enroll_enabled: z.boolean().nullish(),
  mfa_totp_verify_enabled: z.boolean().nullish(),
  mfa_phone_enroll_enabled: z.boolean().nullish(),
  mfa_phone_verify_enabled: z.boolean().nullish(),
  mailer_secure_email_change_enabled: z.boolean().nullish(),
  security_update_password_require_reauthentication: z.boolean().nullish(),
  security_captcha_enabled: z.boolean().nullish(),
  security_captcha_provider: z.string().nullish(),
  mailer_otp_length: z.number().nullish(),
  /** Seconds. */
  mailer_otp_exp: z.number().nullish(),
  /** Codes and links that one network may try in five minutes. */
  rate_limit_verify: z.number().nullish(),
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

/** The origin that Auth's settings must name: the site's or, before the first deploy, that of SHOP_AUTH_PAGE. Throws Skipped without both. */
function originOf(target: Target): string {
  const origin = target.site ?? URL.parse(valueOf(target, 'SHOP_AUTH_PAGE'))?.origin;
  if (origin === undefined)
    throw new Skipped('the shop’s address is not known: give --site, or set SHOP_AUTH_PAGE.');
  return origin;
}
/** Fewer mails an hour than the shop's own limits and refused kinds together could reach on a busy day. */
const minMailsPerHour = 10_000;

type AuthConfig = z.infer<typeof authConfigSchema>;
const number = (value: number | null | undefined, missing: number): number => value ?? missing;

/** Each row tests one of Auth's settings, by its name in the management API, and says what goes wrong without it. */
const settings: readonly (readonly [
  holds: (config: AuthConfig, origin: string) => boolean,
  fault: string,
])[] = [
  [
    ({ hook_send_email_enabled: enabled }) => enabled === true,
    'The hook “Send Email” is off: sign-up mails come from Supabase, two an hour, to its team only.',
  ],
  [
    ({ hook_send_email_uri: address }, origin) => address === sendEmailAddress(origin),
    'The hook “Send Email” calls another address than this shop’s: nobody gets a code.',
  ],
  [
    ({ rate_limit_email_sent: limit }) => number(limit, 0) >= minMailsPerHour,
    'The limit of Auth’s mails is low. Auth also counts those that the shop refuses, so a stranger can use them up, and then nobody can sign up.',
  ],
  [
    ({ smtp_max_frequency: seconds }) => number(seconds, 0) * 1000 >= resendAfterMs,
    'A code can be requested again too soon.',
  ],
  [
    ({ mailer_otp_length: length }) => length === codeLength,
    `A code has not the ${String(codeLength)} digits that the pages ask for: nobody can enter it.`,
  ],
  [
    ({ mailer_otp_exp: seconds }) => number(seconds, Infinity) * 1000 <= codeLifetimeMs,
    'A code is valid for longer than the mails promise: a robot has more tries.',
  ],
  [
    ({ rate_limit_verify: limit }) => number(limit, Infinity) <= 30,
    'One network may try more than 30 codes in five minutes.',
  ],
  [
    ({ security_update_password_require_reauthentication: asked }) => asked === true,
    'Whoever holds an old session can choose a new password.',
  ],
  [
    ({ mailer_secure_email_change_enabled: asked }) => asked === true,
    '“Secure email change” is off. The database refuses a changed address, and this is the second lock.',
  ],
  [
    (config) =>
      config.mfa_totp_enroll_enabled !== true &&
      config.mfa_totp_verify_enabled !== true &&
      config.mfa_phone_enroll_enabled !== true &&
      config.mfa_phone_verify_enabled !== true,
    'Customers can enrol a second factor, and no page asks for it: whoever had a session once can lock them out.',
  ],
  [
    ({ site_url: site }, origin) => site === `${origin}/auth`,
    'The site URL of Auth is not the address of /auth.',
  ],
  [
    ({ uri_allow_list: allowed }, origin) =>
      (allowed ?? '')
        .split(',')
        .map((address) => address.trim())
        .every((address) => address === '' || address === `${origin}/auth`),
    'A link in a mail may also lead elsewhere: whoever owns that address can take over an account.',
  ],
];

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
    fix: 'Pages first, Supabase second, as docs/going-live.md says in step 8: PUBLIC_TURNSTILE_SITE_KEY and a deploy, then AUTH_CAPTCHA=true and a push.',
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
    name: 'Auth’s settings are those of supabase/config.toml',
    async run(target) {
      const config = await authConfig(target);
      const origin = originOf(target);
      const faults = settings.flatMap(([holds, fault]) => (holds(config, origin) ? [] : [fault]));
      return faults.length === 0 ? null : faults.join(' ');
    },
    fix: 'Set the variables of docs/going-live.md, step 8, and run `npm run supabase -- config push`. The limit of mails alone is set in Supabase, Authentication, Rate Limits: 100000 an hour, which it allows once the hook is on.',
  },
  {
    name: 'The shop takes what Auth sends',
    async run(target) {
      const [secret = ''] = valueOf(target, 'SEND_EMAIL_HOOK_SECRET').split('|');
      if (secret === '') throw new Skipped('SEND_EMAIL_HOOK_SECRET is not set.');
      const refusal = await createSendEmailHook(
        sendEmailAddress(await openSite(target)),
        secret,
      )({
        user: { id: crypto.randomUUID(), email: 'doctor@example.invalid' },
        action: 'doctor',
        token: '',
        tokenHash: '',
        redirectTo: '',
      });
      // A kind that the shop does not send is refused with 422 and this sentence, behind the signature.
      if (refusal?.message === 'This shop does not send this mail.') return null;
      return `/api/send-email answers: ${refusal?.message ?? 'as if it had sent a mail'}.`;
    },
    fix: 'SEND_EMAIL_HOOK_SECRET is the same in Netlify and in your file, and the site is deployed since it was set.',
  },
];
