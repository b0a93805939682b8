import * as z from 'zod';

const bodySchema = z.object({
  prefix: z.string().default(''),
  limit: z.int().default(100),
  offset: z.int().default(0),
});
const entrySchema = z.looseObject({ name: z.string() });

/**
 * Lists a bucket as Supabase Storage does: the entries of one folder, named without it, folders among them without an id. The
 * package lists whole paths. Returns null for another request.
 */
export async function listObjects(
  request: Request,
  fetchApp: (request: Request) => Promise<Response>,
): Promise<Response | null> {
  const { pathname } = new URL(request.url);
  if (request.method !== 'POST' || !/^\/storage\/v1\/object\/list\/[^/]+$/u.test(pathname))
    return null;
  const { prefix, limit, offset } = bodySchema.parse(await request.json());
  const folder = prefix.replace(/\/*$/u, prefix === '' ? '' : '/');
  const answer = await fetchApp(
    new Request(request.url, {
      method: 'POST',
      headers: request.headers,
      body: JSON.stringify({
        prefix: folder,
        limit: 1_000_000,
        offset: 0,
        sortBy: { column: 'name', order: 'asc' },
      }),
    }),
  );
  if (!answer.ok) return answer;
  const entries = new Map<string, object>();
  for (const entry of z.array(entrySchema).parse(await answer.json())) {
    const [name = '', ...below] = entry.name.slice(folder.length).split('/');
    if (below.length === 0) entries.set(name, { ...entry, name });
    else entries.set(name, { name, id: null, metadata: null });
  }
  return Response.json([...entries.values()].slice(offset, offset + limit));
}
