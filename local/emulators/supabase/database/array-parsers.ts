import type { PgliteConnection } from '@supabase/lite/pglite';

/** The types whose arrays a query of the shop or of Supabase returns or is given. */
const usedInArrays = [
  'bool',
  'int2',
  'int4',
  'int8',
  'float8',
  'numeric',
  'text',
  'varchar',
  'name',
  'char',
  'uuid',
  'oid',
  'timestamp',
  'timestamptz',
  'date',
  'json',
  'jsonb',
  'aclitem',
];

/**
 * PGlite makes a parser and a serializer for the arrays of every type, each table's rows included, and copies all of
 * them for each query: more than half the time of a short one. Takes away those that nothing uses.
 */
export async function dropUnusedArrayParsers({ driver }: PgliteConnection): Promise<void> {
  const { rows } = await driver.query<{ oid: number }>(
    'select typarray::int as oid from pg_type where typarray <> 0 and typname <> all ($1)',
    [usedInArrays],
  );
  for (const { oid } of rows) {
    Reflect.deleteProperty(driver.parsers, oid);
    Reflect.deleteProperty(driver.serializers, oid);
  }
}
