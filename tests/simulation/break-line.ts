import type { World } from './world.ts';

/** A line of an SQL function, and what stands there instead. */
export interface BrokenLine {
  in: string;
  line: string;
  instead: string;
}

/** Does the work while this line is broken. */
export async function breakLine<T>(
  { database: { sql } }: World,
  { in: name, line, instead }: BrokenLine,
  work: () => Promise<T>,
): Promise<T> {
  const [row] = await sql<{ body: string }>(
    'select pg_get_functiondef($1::regprocedure) as body',
    name,
  );
  const body = row?.body ?? '';
  if (!body.includes(line)) throw new Error(`${name} has no line "${line}"`);
  await sql(body.replace(line, instead));
  try {
    return await work();
  } finally {
    await sql(body);
  }
}
