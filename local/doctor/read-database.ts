import * as z from 'zod';
import { ask, NotAsked, type Patient, valueOf } from './check.ts';

const descriptionSchema = z.object({
  migrations: z.array(z.string()).nullable(),
  tables: z.record(z.string(), z.boolean()),
  functions: z.record(z.string(), z.string()),
  policies: z.array(z.string()),
  grants: z.array(z.string()),
  executable: z.array(z.string()),
  bucket: z
    .object({
      public: z.boolean().nullable(),
      file_size_limit: z.coerce.number().nullable(),
      allowed_mime_types: z.array(z.string()).nullable(),
    })
    .nullable(),
});
type Description = z.infer<typeof descriptionSchema>;

/** A call to the project's API with one of its keys. */
export const callDatabase = async (
  patient: Patient,
  key: 'publishable' | 'secret',
  path: string,
  init: RequestInit = {},
): Promise<Response> => {
  const address = valueOf(patient, key === 'secret' ? 'SUPABASE_URL' : 'PUBLIC_SUPABASE_URL');
  const value = valueOf(
    patient,
    key === 'secret' ? 'SUPABASE_SECRET_KEY' : 'PUBLIC_SUPABASE_PUBLISHABLE_KEY',
  );
  if (!URL.canParse(address)) throw new NotAsked('the address of the database is not set.');
  const headers = {
    apikey: value,
    authorization: `Bearer ${value}`,
    'content-type': 'application/json',
  };
  return ask(new URL(path, address), { ...init, headers });
};

const described = new WeakMap<Patient, Promise<Response>>();

/** The answer of `describe_schema`, asked for once by all checks. */
export async function describeSchema(patient: Patient): Promise<Response> {
  const asked =
    described.get(patient) ??
    callDatabase(patient, 'secret', '/rest/v1/rpc/describe_schema', { method: 'POST', body: '{}' });
  described.set(patient, asked);
  return (await asked).clone();
}

/** The database as it is. Throws NotAsked where another check says what is wrong. */
export async function readDescription(patient: Patient): Promise<Description> {
  const answer = await describeSchema(patient);
  if (answer.ok) return descriptionSchema.parse(await answer.json());
  throw new NotAsked(
    answer.status === 404
      ? 'the migrations are not applied.'
      : 'the database refuses the secret key.',
  );
}
