import { findFiles } from '#tests/find-files.ts';
import { ask, newCustomer, sql, type Call, type Place, type Row } from './place.ts';

const migrations = findFiles('supabase/migrations/*.sql').length;

/** The tables of the shop with the column that a request names. */
const tablesOf = async (place: Place): Promise<{ name: string; column: string }[]> =>
  sql(
    place,
    `select c.relname as name, (
         select a.attname from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attname <> 'admin_key'
         order by (a.attname = 'id') desc, a.attnum limit 1
       ) as column
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
  );

/** Tables of which a caller may read the named column, and those that a caller may change. */
async function reachOf(place: Place, token?: string): Promise<string> {
  const [readable, writable]: [string[], string[]] = [[], []];
  for (const { name, column } of await tablesOf(place)) {
    const call = async (method: string, query: string, more: Call = {}): Promise<boolean> => {
      const headers = { prefer: 'return=minimal' };
      const { status } = await ask(place, `/rest/v1/${name}${query}`, {
        method,
        token,
        headers,
        ...more,
      });
      return status < 300;
    };
    if (await call('GET', `?select=${column}&limit=1`)) readable.push(name);
    // No row has both, so nothing changes where it is allowed.
    const none = `?${column}=is.null&${column}=not.is.null`;
    const body = { [column]: null };
    const isOpen = (await call('PATCH', none, { body })) || (await call('DELETE', none));
    if (isOpen) writable.push(name);
  }
  return `reads ${readable.join(' ')}; writes ${writable.join(' ') || 'nothing'}`;
}

/** Migrations, roles, and what the Data API lets through. */
export const databaseRows: readonly Row[] = [
  {
    name: 'every migration is applied, by a role that is no superuser; auth belongs to its own role',
    want: `${String(migrations)} of ${String(migrations)}, postgres no superuser, supabase_auth_admin`,
    async run(place) {
      const [found] = await sql<{ count: number; role: string; super: boolean; owner: string }>(
        place,
        `select (select count(*)::int from supabase_migrations.schema_migrations) as count, current_user as role,
           (select rolsuper from pg_roles where rolname = current_user) as super,
           (select relowner::regrole::text from pg_class where oid = 'auth.users'::regclass) as owner`,
      );
      const role = `${found?.role ?? ''} ${found?.super === true ? 'superuser' : 'no superuser'}`;
      return `${String(found?.count)} of ${String(migrations)}, ${role}, ${found?.owner ?? ''}`;
    },
    embedded: {
      want: `${String(migrations)} of ${String(migrations)}, postgres superuser, postgres`,
      why: 'PGlite has one user',
    },
  },
  {
    name: 'triggers on auth.users: a profile, no password after a confirmation, no other address',
    want: 'create_profile forget_account forget_unproven_password refuse_address_change sync_profile_email',
    async run(place) {
      const rows = await sql<{ name: string }>(
        place,
        `select p.proname as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid
         where t.tgrelid = 'auth.users'::regclass and not t.tgisinternal and p.pronamespace <> 'auth'::regnamespace order by 1`,
      );
      return rows.map(({ name }) => name).join(' ');
    },
  },
  {
    name: 'what a visitor reads and writes by the Data API, of all tables',
    want: 'reads catalogue_version occasion products shop_notice; writes nothing',
    run: async (place) => reachOf(place),
  },
  {
    name: 'what a customer reads and writes by the Data API, of all tables',
    want: 'reads catalogue_version occasion orders products profiles shop_notice wishlists; writes wishlists',
    run: async (place) => reachOf(place, (await newCustomer(place)).access_token),
  },
  {
    name: 'a customer sees the own profile and nobody else’s',
    want: '1 profile, the own one',
    async run(place) {
      await newCustomer(place);
      const { access_token: token, user } = await newCustomer(place);
      const { text } = await ask(place, '/rest/v1/profiles?select=id', { token });
      const rows = JSON.parse(text) as { id: string }[];
      return `${String(rows.length)} profile, ${rows[0]?.id === user.id ? 'the own one' : 'another'}`;
    },
  },
];
