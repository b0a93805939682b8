import { one, type Database } from './database.ts';
import { createDatabase, type Postgres } from './postgres.ts';

/** A PostgreSQL of its own with many connections that really run at once, and as many shoppers. */
export interface ManyShoppers {
  postgres: Postgres;
  connections: Database[];
  /** Ids of confirmed accounts. */
  shoppers: string[];
  /** How many the database has counted. */
  deadlocks: () => Promise<number>;
}

export async function openManyShoppers(count: number): Promise<ManyShoppers> {
  const postgres = await createDatabase();
  const sql = `insert into auth.users (email, email_confirmed_at) select 'shopper-' || n || '@example.com', now() from generate_series(1, ${String(count)}) n returning id`;
  return {
    postgres,
    connections: await postgres.connect(count),
    shoppers: (await postgres.query<{ id: string }>(sql)).map(({ id }) => id),
    deadlocks: async () =>
      Number(
        (
          await one<{ n: string }>(
            postgres,
            `select deadlocks as n from pg_stat_database where datname = current_database()`,
          )
        ).n,
      ),
  };
}
