import { useDatabase, type Connection, type Postgres } from './postgres.ts';

/** A PostgreSQL of its own with many connections that really run at once, and as many shoppers. */
export interface ManyShoppers {
  postgres: Postgres;
  connections: Connection[];
  /** Ids of confirmed accounts. */
  shoppers: string[];
}

export async function useManyShoppers(count: number): Promise<ManyShoppers> {
  const postgres = await useDatabase();
  const sql = `insert into auth.users (email, email_confirmed_at) select 'shopper-' || n || '@example.com', now() from generate_series(1, ${String(count)}) n returning id`;
  const shoppers = await postgres.query<{ id: string }>(sql);
  return {
    postgres,
    connections: await postgres.connect(count),
    shoppers: shoppers.map(({ id }) => id),
  };
}
