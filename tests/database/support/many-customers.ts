import { useDatabase, type Connection, type Postgres } from './postgres.ts';

/** A PostgreSQL of its own with many connections that really run at once, and as many customers. */
export interface ManyCustomers {
  postgres: Postgres;
  connections: Connection[];
  /** Ids of confirmed accounts. */
  customers: string[];
}

export async function useManyCustomers(count: number): Promise<ManyCustomers> {
  const postgres = await useDatabase();
  const sql = `insert into auth.users (email, email_confirmed_at) select 'customer-' || n || '@example.com', now() from generate_series(1, ${String(count)}) n returning id`;
  const customers = await postgres.query<{ id: string }>(sql);
  return {
    postgres,
    connections: await postgres.connect(count),
    customers: customers.map(({ id }) => id),
  };
}
