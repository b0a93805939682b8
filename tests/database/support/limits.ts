import type * as z from 'zod/mini';
import type { ShopDatabase } from './shop-database.ts';

/** What the migrated database says about the limits of a function, or of a table. */
export const limitsOf = (database: Pick<ShopDatabase, 'value'>) => ({
  definitionOf: (name: string): Promise<string> =>
    database.value(
      `select string_agg(pg_get_functiondef(oid), E'\\n') as text from pg_proc
         where proname = $1 and pronamespace in ('public'::regnamespace, 'private'::regnamespace)`,
      name,
    ),
  checksOf: (table: string): Promise<string> =>
    database.value(
      `select string_agg(pg_get_constraintdef(oid), E'\\n') as text from pg_constraint
         where conrelid = ('public.' || $1)::regclass and contype = 'c'`,
      table,
    ),
});

/** The number that a pattern finds in a text. Throws when it finds none. */
export function numberIn(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`${String(pattern)} is not in ${text}`);
  return Number(found);
}
export const maxLength = (checks: string, column: string): number =>
  numberIn(checks, new RegExp(`char_length\\(${column}\\) <= (\\d+)`, 'u'));

/** Whether a form takes `value` in a field of an input that is right in all others. */
export const takes =
  (schema: z.ZodMiniType, valid: Readonly<Record<string, unknown>>, field: string) =>
  (value: unknown): boolean =>
    schema.safeParse({ ...valid, [field]: value }).success;
