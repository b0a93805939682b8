import {
  ask,
  logIn,
  mailsTo,
  newCustomer,
  newEmail,
  passTime,
  password,
  recover,
  sessionOf,
  short,
  signUp,
  sql,
  updateUser,
  verify,
  waitForCode,
  type Place,
  type Row,
} from './place.ts';

/** Outcomes of several steps. */
const steps = (...outcomes: readonly string[]): string => outcomes.join(', ');
const countMails = async (place: Place, email: string): Promise<string> =>
  `${String((await mailsTo(place, email)).length)} mails`;
const isConfirmed = async (place: Place, email: string): Promise<string> => {
  const [user] = await sql<{ done: boolean }>(
    place,
    'select email_confirmed_at is not null as done from auth.users where email = $1',
    email,
  );
  return user === undefined ? 'no account' : user.done ? 'confirmed' : 'not confirmed';
};
const anotherCode = (code: string): string =>
  code.replace(/^./u, (digit) => String((Number(digit) + 1) % 10));

const wrong = '403 otp_expired';
const early = '429 over_email_send_rate_limit';

/** Sign-up, codes, links and passwords. */
export const accountRows: readonly Row[] = [
  {
    name: 'sign-up by code, and login with the password that the page then sets',
    want: '200, not confirmed, 8 digits, 200, confirmed, 200, 200',
    async run(place) {
      const email = newEmail();
      const signedUp = await signUp(place, email);
      const before = await isConfirmed(place, email);
      const mailed = await waitForCode(place, email);
      const verified = await verify(place, email, mailed);
      const after = await isConfirmed(place, email);
      const set = await updateUser(place, sessionOf(verified).access_token, { password });
      const loggedIn = await logIn(place, email);
      const digits = `${String(mailed.code.length)} digits`;
      return steps(
        short(signedUp),
        before,
        digits,
        short(verified),
        after,
        short(set),
        short(loggedIn),
      );
    },
  },
  {
    name: 'a confirmation removes the password of the sign-up',
    want: '200, 400 invalid_credentials',
    async run(place) {
      const email = newEmail();
      await signUp(place, email);
      const verified = await verify(place, email, await waitForCode(place, email));
      return steps(short(verified), short(await logIn(place, email)));
    },
  },
  {
    name: 'sign-up by link',
    want: '200, confirmed',
    async run(place) {
      const email = newEmail();
      await signUp(place, email);
      const { tokenHash } = await waitForCode(place, email);
      const opened = await ask(place, '/auth/v1/verify', {
        body: { token_hash: tokenHash, type: 'signup' },
      });
      return steps(short(opened), await isConfirmed(place, email));
    },
  },
  {
    name: 'login before the address is confirmed',
    want: '400 email_not_confirmed',
    async run(place) {
      const email = newEmail();
      await signUp(place, email);
      return short(await logIn(place, email));
    },
  },
  {
    name: 'a wrong code, then the right one, then the same again',
    want: steps(wrong, '200', wrong),
    async run(place) {
      const email = newEmail();
      await signUp(place, email);
      const mailed = await waitForCode(place, email);
      const outcomes = [
        await verify(place, email, { ...mailed, code: anotherCode(mailed.code) }),
        await verify(place, email, mailed),
        await verify(place, email, mailed),
      ];
      return steps(...outcomes.map(short));
    },
  },
  {
    name: 'a code after ten minutes',
    want: wrong,
    async run(place) {
      const email = newEmail();
      await signUp(place, email);
      const mailed = await waitForCode(place, email);
      await passTime(place, email, 601);
      return short(await verify(place, email, mailed));
    },
  },
  {
    name: 'a second code within a minute, then after it: the first is dead',
    want: steps(early, '200', '2 mails', wrong, '200'),
    async run(place) {
      const email = newEmail();
      await newCustomer(place, email);
      await recover(place, email);
      const first = await waitForCode(place, email, 2);
      const soon = await recover(place, email);
      await passTime(place, email, 61);
      const later = await recover(place, email);
      const second = await waitForCode(place, email, 3);
      const codes = (await mailsTo(place, email)).filter(({ subject }) =>
        /your code/u.test(subject),
      );
      return steps(
        short(soon),
        short(later),
        `${String(codes.length)} mails`,
        short(await verify(place, email, first)),
        short(await verify(place, email, second)),
      );
    },
  },
  {
    name: 'login with a code; it also confirms an address whose sign-up mail was lost',
    want: '200, 200, 200, confirmed',
    async run(place) {
      const email = newEmail();
      const signedUp = await signUp(place, email);
      await waitForCode(place, email);
      const asked = await recover(place, email);
      const verified = await verify(place, email, await waitForCode(place, email, 2));
      return steps(short(signedUp), short(asked), short(verified), await isConfirmed(place, email));
    },
  },
  {
    name: 'forgotten password: the new one opens the account, the old one does not',
    want: '200, 200, 400 invalid_credentials',
    async run(place) {
      const email = newEmail();
      await newCustomer(place, email);
      await recover(place, email);
      const session = sessionOf(await verify(place, email, await waitForCode(place, email, 2)));
      const set = await updateUser(place, session.access_token, { password: 'another-password' });
      return steps(
        short(set),
        short(await logIn(place, email, 'another-password')),
        short(await logIn(place, email)),
      );
    },
  },
  {
    name: 'a code for an address without an account',
    want: '200, 0 mails',
    async run(place) {
      const email = newEmail();
      return steps(short(await recover(place, email)), await countMails(place, email));
    },
  },
  {
    name: 'sign-up with an address that has an account: the same answer, no mail, the password stays',
    want: '200, no session, 1 mails, 200, 400 invalid_credentials',
    async run(place) {
      const email = newEmail();
      await newCustomer(place, email);
      const again = await signUp(place, email, 'somebody-elses');
      return steps(
        short(again),
        again.body['access_token'] === undefined ? 'no session' : 'session',
        await countMails(place, email),
        short(await logIn(place, email)),
        short(await logIn(place, email, 'somebody-elses')),
      );
    },
  },
  {
    name: 'sign-up again before the address is confirmed: within a minute, and after it',
    want: steps(early, '200', '2 mails', '200'),
    async run(place) {
      const email = newEmail();
      await signUp(place, email);
      await waitForCode(place, email);
      const soon = await signUp(place, email);
      await passTime(place, email, 61);
      const later = await signUp(place, email);
      const mailed = await waitForCode(place, email, 2);
      return steps(
        short(soon),
        short(later),
        await countMails(place, email),
        short(await verify(place, email, mailed)),
      );
    },
  },
  {
    name: 'the sign-up mail again by /resend: within a minute, after it, and for a confirmed address',
    want: steps(early, '200', '2 mails', '200', '2 mails'),
    async run(place) {
      const email = newEmail();
      const resend = async () => ask(place, '/auth/v1/resend', { body: { type: 'signup', email } });
      await signUp(place, email);
      await waitForCode(place, email);
      const soon = await resend();
      await passTime(place, email, 61);
      const later = await resend();
      const mailed = await waitForCode(place, email, 2);
      const count = await countMails(place, email);
      await verify(place, email, mailed);
      await passTime(place, email, 61);
      const confirmed = await resend();
      return steps(
        short(soon),
        short(later),
        count,
        short(confirmed),
        await countMails(place, email),
      );
    },
  },
  {
    name: 'passwords: too short, the same, a good one',
    want: '422 weak_password, 422 same_password, 200',
    async run(place) {
      const { access_token: token } = await newCustomer(place);
      const outcomes = [];
      for (const typed of ['12345', password, 'another-password'])
        outcomes.push(short(await updateUser(place, token, { password: typed })));
      return steps(...outcomes);
    },
  },
  {
    name: 'a new password in a session that is older than a day',
    want: '400 reauthentication_needed',
    async run(place) {
      const { access_token: token, user } = await newCustomer(place);
      await sql(
        place,
        `update auth.sessions set created_at = created_at - interval '25 hours' where user_id = $1 returning id`,
        user.id,
      );
      return short(await updateUser(place, token, { password: 'another-password' }));
    },
  },
  {
    name: 'a change of the address: refused, and no mail goes out',
    want: '422 unknown, 1 mails, 0 mails',
    async run(place) {
      const [email, other] = [newEmail(), newEmail()];
      const { access_token: token } = await newCustomer(place, email);
      const changed = await updateUser(place, token, { email: other });
      return steps(short(changed), await countMails(place, email), await countMails(place, other));
    },
  },
  {
    name: 'another account’s address is told from a free one',
    want: '422 email_exists',
    async run(place) {
      const other = newEmail();
      await newCustomer(place, other);
      const { access_token: token } = await newCustomer(place);
      return short(await updateUser(place, token, { email: other }));
    },
  },
  {
    name: 'a change of the phone',
    want: 'no phone',
    async run(place) {
      const { access_token: token, user } = await newCustomer(place);
      await updateUser(place, token, { phone: '919847012345' });
      const [row] = await sql<{ phone: string | null }>(
        place,
        'select phone from auth.users where id = $1',
        user.id,
      );
      return (row?.phone ?? '') === '' ? 'no phone' : 'phone changed';
    },
  },
  {
    name: 'a change of the name',
    want: '200, Asha',
    async run(place) {
      const { access_token: token } = await newCustomer(place);
      const changed = await updateUser(place, token, { data: { full_name: 'Asha' } });
      const metadata = changed.body['user_metadata'] as Record<string, unknown> | undefined;
      return steps(short(changed), String(metadata?.['full_name']));
    },
  },
  {
    name: 'sign-up without an address',
    want: '422 anonymous_provider_disabled',
    run: async (place) => short(await ask(place, '/auth/v1/signup', { body: {} })),
  },
  {
    name: '/otp for an address without an account is a sign-up; for one that has it, refused',
    want: '200, not confirmed, 1 mails, 422 unknown, 1 mails',
    async run(place) {
      const [email, other] = [newEmail(), newEmail()];
      const created = await ask(place, '/auth/v1/otp', { body: { email } });
      await waitForCode(place, email);
      await newCustomer(place, other);
      const refused = await ask(place, '/auth/v1/otp', { body: { email: other } });
      return steps(
        short(created),
        await isConfirmed(place, email),
        await countMails(place, email),
        short(refused),
        await countMails(place, other),
      );
    },
  },
  {
    name: '/reauthenticate: refused, no mail',
    want: '422 unknown, 1 mails',
    async run(place) {
      const email = newEmail();
      const { access_token: token } = await newCustomer(place, email);
      const asked = await ask(place, '/auth/v1/reauthenticate', { token });
      return steps(short(asked), await countMails(place, email));
    },
  },
  {
    name: '/invite and /admin with the publishable key',
    want: 'refused, refused, 0 mails',
    async run(place) {
      const email = newEmail();
      const answers = [
        await ask(place, '/auth/v1/invite', { body: { email } }),
        await ask(place, '/auth/v1/admin/users'),
      ];
      return steps(
        ...answers.map(({ status }) =>
          status >= 400 && status < 500 ? 'refused' : String(status),
        ),
        await countMails(place, email),
      );
    },
  },
  {
    name: 'a second factor of Auth',
    want: '422 mfa_totp_enroll_not_enabled',
    async run(place) {
      const { access_token: token } = await newCustomer(place);
      const body = { factor_type: 'totp', friendly_name: 'phone' };
      return short(await ask(place, '/auth/v1/factors', { token, body }));
    },
    embedded: { want: '404', why: 'the embedded Auth has no factors' },
  },
  {
    name: 'a seventh login code in an hour: refused by the shop, and the one before still works',
    want: '200 200 200 200 200 200 429 unknown, 200',
    async run(place) {
      const email = newEmail();
      await newCustomer(place, email);
      const outcomes: string[] = [];
      for (let round = 0; round < 7; round += 1) {
        outcomes.push(short(await recover(place, email)));
        await passTime(place, email, 61);
      }
      const last = await waitForCode(place, email, 7);
      return steps(outcomes.join(' '), short(await verify(place, email, last)));
    },
  },
  {
    name: 'thirty-one codes of one address in five minutes',
    want: '429 over_request_rate_limit',
    async run(place) {
      const headers = { 'x-forwarded-for': '198.51.100.77' };
      const body = { email: newEmail(), token: '12345678', type: 'signup' };
      let last = '';
      for (let round = 0; round < 31; round += 1)
        last = short(await ask(place, '/auth/v1/verify', { body, headers }));
      return last;
    },
    embedded: { want: wrong, why: 'all callers of the embedded Auth are this machine' },
  },
];
