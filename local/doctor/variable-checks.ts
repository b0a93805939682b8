import { variables } from '../../netlify/core/platform/variables.ts';
import { type Check, type Target, valueOf } from './check.ts';

const names = Object.keys(variables);
const hasValue = (target: Target, name: string): boolean => valueOf(target, name) !== '';
const list = (found: readonly string[], what: string): string | null =>
  found.length === 0 ? null : `${found.join(', ')} ${what}`;

/** The role in a legacy Supabase key, which is a JWT; null for anything else. */
function roleOf(key: string): unknown {
  try {
    return (
      (
        JSON.parse(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString()) as {
          role?: unknown;
        }
      ).role ?? null
    );
  } catch {
    return null;
  }
}
/** The variables that hold such keys. */
const databaseKeys = ['PUBLIC_SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_SECRET_KEY'];
const isSecretKey = (key: string): boolean =>
  key.startsWith('sb_secret_') || roleOf(key) === 'service_role';
const isPublicKey = (key: string): boolean =>
  key.startsWith('sb_publishable_') || roleOf(key) === 'anon';

/** The command that makes a value, from where the table says that it is from; '' for none. */
const commandIn = (from: string): string => /`npm run [\w-]+`/u.exec(from)?.[0] ?? '';

const placeholder = /<[^>@]+>|\.\.\.|example\.com|^(?:changeme|todo|xxx)$/iu;
const mailAddress = /^(?:[^<>@\r\n]*<)?[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+>?$/u;

/** Checks of the variables' text. They need no network. */
export const variableChecks: readonly Check[] = [
  {
    name: 'Every variable that the shop needs is set',
    run: (target) =>
      list(
        Object.entries(variables)
          .filter(
            ([name, { use, contexts }]) =>
              use === 'needed' &&
              (contexts !== 'production' || target.context === 'production') &&
              !hasValue(target, name),
          )
          .map(([name]) => name),
        'is not set.',
      ),
    fix: 'Set it in Netlify under Project configuration, Environment variables. The table in docs/going-live.md says where each value is found.',
  },
  {
    name: 'Every variable has the form of its kind',
    run: (target) =>
      list(
        Object.entries(variables)
          .filter(
            ([name, { schema }]) =>
              hasValue(target, name) && !schema.safeParse(valueOf(target, name)).success,
          )
          .map(([name, { from }]) => (commandIn(from) ? `${name} (${commandIn(from)})` : name)),
        'cannot be used as it is written.',
      ),
    fix: 'Addresses begin with https://. Where a command is named, the value is the whole line that it prints. ADMIN_PASSWORD_HASH has dollar signs: use single quotes in a shell.',
  },
  {
    name: 'No value is still the example’s',
    run: (target) =>
      list(
        target.embedded ? [] : names.filter((name) => placeholder.test(valueOf(target, name))),
        'is still an example: it has <…>, "..." or example.com in it.',
      ),
    fix: 'Put the real value in; docs/going-live.md says where it is found.',
  },
  {
    name: 'The key in the pages is the publishable one',
    run: (target) => {
      const key = valueOf(target, 'PUBLIC_SUPABASE_PUBLISHABLE_KEY');
      if (isSecretKey(key))
        return 'PUBLIC_SUPABASE_PUBLISHABLE_KEY is the SECRET key: with it everyone who opens a page may read and write everything.';
      return key === '' || isPublicKey(key)
        ? null
        : 'PUBLIC_SUPABASE_PUBLISHABLE_KEY is not a key of Supabase.';
    },
    fix: 'Set the publishable key (sb_publishable_…). If the secret one was ever deployed so, replace it in Supabase now: Project Settings, API Keys.',
  },
  {
    name: 'The key of the functions is the secret one',
    run: (target) => {
      const key = valueOf(target, 'SUPABASE_SECRET_KEY');
      if (isPublicKey(key))
        return 'SUPABASE_SECRET_KEY is the publishable key: the functions may do nothing with it.';
      return key === '' || isSecretKey(key)
        ? null
        : 'SUPABASE_SECRET_KEY is not a key of Supabase.';
    },
    fix: 'Set the secret key (sb_secret_…) of Supabase: Project Settings, API Keys.',
  },
  {
    name: 'The keys of Supabase are the new ones',
    run: (target) =>
      list(
        databaseKeys.filter((name) => roleOf(valueOf(target, name)) !== null),
        'is an old JWT key (anon, service_role). Supabase deprecates these by the end of 2026.',
      ),
    fix: 'Supabase, Settings, API Keys, tab "API Keys": take the publishable key (sb_publishable_…) and a secret key (sb_secret_…), set them in Netlify, and deploy. Then deactivate the old ones under "Legacy API Keys".',
  },
  {
    name: 'Pages and functions use the same database',
    run: (target) => {
      const [pages, functions] = ['PUBLIC_SUPABASE_URL', 'SUPABASE_URL'].map(
        (name) => URL.parse(valueOf(target, name))?.origin,
      );
      return pages === functions
        ? null
        : 'PUBLIC_SUPABASE_URL and SUPABASE_URL name two projects: customers would see another catalogue than they buy from.';
    },
    fix: 'Set both to the Project URL of the same Supabase project.',
  },
  {
    name: 'Turnstile has both of its keys, or neither',
    run: (target) => {
      const [pages, functions] = ['PUBLIC_TURNSTILE_SITE_KEY', 'TURNSTILE_SECRET_KEY'].map((name) =>
        hasValue(target, name),
      );
      if (pages === functions) return null;
      return pages
        ? 'TURNSTILE_SECRET_KEY is not set: the functions take the public forms without a check.'
        : 'PUBLIC_TURNSTILE_SITE_KEY is not set: the functions refuse every contact, newsletter and back-in-stock form.';
    },
    fix: 'Set both keys of the same Turnstile widget, or take both away.',
  },
  {
    name: 'Nothing of the embedded stack is set for a deployed site',
    run: (target) =>
      target.embedded
        ? null
        : list(
            Object.entries(variables)
              .filter(([name, { use }]) => use === 'embedded' && hasValue(target, name))
              .map(([name]) => name),
            'is for the embedded stack only.',
          ),
    fix: 'Take it away: without it the real address holds.',
  },
  {
    name: 'Addresses of a live site are public and encrypted',
    run: (target) => {
      if (target.context !== 'production') return null;
      const addresses = [
        'URL',
        'PUBLIC_SITE_URL',
        'SUPABASE_URL',
        'PUBLIC_SUPABASE_URL',
        'BUILD_HOOK_URL',
      ].filter((name) => hasValue(target, name));
      return list(
        addresses.filter((name) => !/^https:\/\/(?!localhost|127\.)/u.test(valueOf(target, name))),
        'is not a public https address.',
      );
    },
    fix: 'Use the https address of the domain, the project or the hook.',
  },
  {
    name: 'The site has one address',
    run: (target) => {
      const [pages, mails] = ['PUBLIC_SITE_URL', 'URL'].map(
        (name) => URL.parse(valueOf(target, name))?.origin,
      );
      return pages === undefined || mails === undefined || pages === mails
        ? null
        : `Pages call themselves ${pages}, mails link to ${mails}.`;
    },
    fix: 'Make the domain of PUBLIC_SITE_URL the primary domain in Netlify (Domain management), or take PUBLIC_SITE_URL away.',
  },
  {
    name: 'Mail has a sender and a recipient',
    run: (target) =>
      list(
        ['MAIL_FROM', 'OWNER_EMAIL'].filter(
          (name) => hasValue(target, name) && !mailAddress.test(valueOf(target, name)),
        ),
        'holds no mail address.',
      ),
    fix: 'MAIL_FROM is `Name <orders@your-domain>` or an address alone, OWNER_EMAIL an address alone.',
  },
  {
    name: 'The mail server is named by an SMTP address',
    run: (target) => {
      const { protocol, hostname, username } = URL.parse(valueOf(target, 'SMTP_URL')) ?? {};
      if (!hasValue(target, 'SMTP_URL')) return null;
      if ((protocol !== 'smtp:' && protocol !== 'smtps:') || !hostname)
        return 'SMTP_URL is not smtps://user:password@host.';
      // Programs disagree which @ ends the password.
      if (/^[^/]*\/\/[^/]*@[^/]*@/u.test(valueOf(target, 'SMTP_URL')))
        return 'SMTP_URL has more than one @: one of the user or the password is written %40.';
      if (/%(?![\da-f]{2})/iu.test(valueOf(target, 'SMTP_URL')))
        return 'SMTP_URL has a % that begins no code such as %40: no mail would go out.';
      return target.context === 'production' && username === ''
        ? 'SMTP_URL has no user and password: a public mail server refuses that.'
        : null;
    },
    fix: 'Write smtps://user:password@host (port 465) or smtp://user:password@host:587. In the password write @ : / # % as %40 %3A %2F %23 %25.',
  },
  {
    name: 'The previous key secret is not the present one',
    run: (target) => {
      const before = valueOf(target, 'RAZORPAY_KEY_SECRET_PREVIOUS');
      return before !== '' && before === valueOf(target, 'RAZORPAY_KEY_SECRET')
        ? 'RAZORPAY_KEY_SECRET_PREVIOUS is the same as the present one.'
        : null;
    },
    fix: 'Put the secret of before the change into RAZORPAY_KEY_SECRET_PREVIOUS, or remove the variable.',
  },
  {
    name: 'Each webhook secret is a secret of its own',
    run: (target) => {
      const [secret, before, keySecret] = [
        'RAZORPAY_WEBHOOK_SECRET',
        'RAZORPAY_WEBHOOK_SECRET_PREVIOUS',
        'RAZORPAY_KEY_SECRET',
      ].map((name) => valueOf(target, name));
      if (secret === '') return null;
      if (secret === keySecret)
        return 'RAZORPAY_WEBHOOK_SECRET is the key secret: the dashboard would show it to everyone who edits the webhook.';
      if (secret === before)
        return 'RAZORPAY_WEBHOOK_SECRET_PREVIOUS is the same as the present one.';
      return (secret?.length ?? 0) < 16
        ? 'RAZORPAY_WEBHOOK_SECRET is shorter than 16 characters: it can be guessed.'
        : null;
    },
    fix: 'Make one with `openssl rand -hex 32` and type it into both places: the variable, and the webhook in the Razorpay dashboard.',
  },
];
