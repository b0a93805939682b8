import {
  ask,
  askShop,
  logIn,
  newCustomer,
  newEmail,
  refresh,
  sessionOf,
  short,
  sql,
  waitForMail,
  type Row,
} from './place.ts';

/** Sessions, their tokens, and the end of an account. */
export const sessionRows: readonly Row[] = [
  {
    name: 'a refresh token is exchanged; the old one works a moment longer, for a second tab',
    want: '200, another, 200',
    async run(place) {
      const email = newEmail();
      await newCustomer(place, email);
      const { refresh_token: first } = sessionOf(await logIn(place, email));
      const answer = await refresh(place, first);
      const { refresh_token: second } = sessionOf(answer);
      const again = await refresh(place, first);
      return [short(answer), second === first ? 'the same' : 'another', short(again)].join(', ');
    },
  },
  {
    name: 'an old refresh token, used after two newer ones and ten seconds, ends the session',
    want: '400 refresh_token_already_used, refused',
    async run(place) {
      const email = newEmail();
      const { user } = await newCustomer(place, email);
      const { refresh_token: first } = sessionOf(await logIn(place, email));
      const { refresh_token: second } = sessionOf(await refresh(place, first));
      const { refresh_token: third } = sessionOf(await refresh(place, second));
      // Auth takes an old token for ten seconds more; a token that it has just ended, too.
      const wait = async (): Promise<unknown> =>
        sql(
          place,
          `update auth.refresh_tokens set updated_at = updated_at - interval '11 seconds' where user_id = $1 returning id`,
          user.id,
        );
      await wait();
      const reused = await refresh(place, first);
      await wait();
      const after = await refresh(place, third);
      return [short(reused), after.status === 400 ? 'refused' : short(after)].join(', ');
    },
  },
  {
    name: 'logging out everywhere ends the other sessions',
    want: '204, refused, refused',
    async run(place) {
      const email = newEmail();
      await newCustomer(place, email);
      const [here, there] = [
        sessionOf(await logIn(place, email)),
        sessionOf(await logIn(place, email)),
      ];
      const left = await ask(place, '/auth/v1/logout?scope=global', {
        method: 'POST',
        token: here.access_token,
      });
      const refreshed = await refresh(place, there.refresh_token);
      const used = await ask(place, '/auth/v1/user', { token: there.access_token });
      return [
        short(left),
        refreshed.status === 400 ? 'refused' : short(refreshed),
        used.status === 403 ? 'refused' : short(used),
      ].join(', ');
    },
  },
  {
    name: 'a new password ends the sessions of others, as the page asks for it',
    want: '204, 200, refused',
    async run(place) {
      const email = newEmail();
      await newCustomer(place, email);
      const [here, there] = [
        sessionOf(await logIn(place, email)),
        sessionOf(await logIn(place, email)),
      ];
      const left = await ask(place, '/auth/v1/logout?scope=others', {
        method: 'POST',
        token: here.access_token,
      });
      const mine = await refresh(place, here.refresh_token);
      const theirs = await refresh(place, there.refresh_token);
      return [short(left), short(mine), theirs.status === 400 ? 'refused' : short(theirs)].join(
        ', ',
      );
    },
  },
  {
    name: 'a made-up token',
    want: '401, 403',
    async run(place) {
      const token = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"role":"service_role"}').toString('base64url')}.`;
      const rest = await ask(place, '/rest/v1/orders?select=id', { token });
      const auth = await ask(place, '/auth/v1/user', { token });
      return [String(rest.status), String(auth.status)].join(', ');
    },
  },
  {
    name: 'an account is deleted by the mailed link, with its profile, sessions and login',
    want: '200, 303, 0 accounts, 0 profiles, 400 invalid_credentials',
    async run(place) {
      const email = newEmail();
      const { access_token: token, user } = await newCustomer(place, email);
      const asked = await askShop(place, '/api/my-data/delete', { method: 'POST', token });
      const { links } = await waitForMail(place, email, 2);
      const link = new URL(links.find((one) => one.includes('/account/delete')) ?? '');
      const deleted = await askShop(place, link.pathname + link.search, { method: 'POST' });
      const [left] = await sql<{ accounts: number; profiles: number }>(
        place,
        `select (select count(*)::int from auth.users where id = $1) as accounts,
           (select count(*)::int from public.profiles where id = $1) as profiles`,
        user.id,
      );
      return [
        short(asked),
        String(deleted.status),
        `${String(left?.accounts)} accounts`,
        `${String(left?.profiles)} profiles`,
        short(await logIn(place, email)),
      ].join(', ');
    },
  },
];
