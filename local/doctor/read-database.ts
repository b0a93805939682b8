import * as z from 'zod';
import { ask, Skipped, type Target, valueOf } from './check.ts';

const bucketSchema = z
  .object({
    public: z.boolean().nullable(),
    file_size_limit: z.coerce.number().nullable(),
    allowed_mime_types: z.array(z.string()).nullable(),
  })
  .nullable();

/** The answer of SQL `describe_schema`. */
export const descriptionSchema = z.object({
  migrations: z.array(z.string()).nullable(),
  tables: z.record(z.string(), z.boolean()),
  functions: z.record(z.string(), z.string()),
  policies: z.array(z.string()),
  grants: z.array(z.string()),
  executable: z.array(z.string()),
  bucket: bucketSchema,
  /** The files of damage claims. Releases without claims leave it out. */
  claims: bucketSchema.default(null),
});
export type Description = z.infer<typeof descriptionSchema>;

/** A call to the project's API with one of its keys. */
export const callDatabase = async (
  target: Target,
  key: 'publishable' | 'secret',
  path: string,
  init: RequestInit = {},
): Promise<Response> => {
  const address = valueOf(target, key === 'secret' ? 'SUPABASE_URL' : 'PUBLIC_SUPABASE_URL');
  const value = valueOf(
    target,
    key === 'secret' ? 'SUPABASE_SECRET_KEY' : 'PUBLIC_SUPABASE_PUBLISHABLE_KEY',
  );
  if (!URL.canParse(address)) throw new Skipped('the address of the database is not set.');
  const headers = {
    apikey: value,
    authorization: `Bearer ${value}`,
    'content-type': 'application/json',
  };
  return ask(new URL(path, address), { ...init, headers });
};

const described = new WeakMap<Target, Promise<Response>>();

/** The response of `describe_schema`, fetched once for all checks. */
export async function describeSchema(target: Target): Promise<Response> {
  const answer =
    described.get(target) ??
    callDatabase(target, 'secret', '/rest/v1/rpc/describe_schema', { method: 'POST', body: '{}' });
  described.set(target, answer);
  return (await answer).clone();
}

/** Describes the live database. Throws Skipped where another check reports the fault. */
export async function readDescription(target: Target): Promise<Description> {
  const answer = await describeSchema(target);
  if (answer.ok) return descriptionSchema.parse(await answer.json());
  throw new Skipped(
    answer.status === 404
      ? 'the migrations are not applied.'
      : 'the database refuses the secret key.',
  );
}
