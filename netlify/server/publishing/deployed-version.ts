import * as z from 'zod/mini';
import { fetchStaticPage } from '../platform/static-page.ts';

const buildSchema = z.object({ version: z.int(), builtAt: z.string() });

/** What the site that shoppers see was built from: the catalogue's version, and when. */
export type LiveBuild = z.infer<typeof buildSchema>;

/** Reads `/build.json` of the live site; null when it has none, or it cannot be had. */
export async function readLiveBuild(request: Request): Promise<LiveBuild | null> {
  try {
    const parsed = buildSchema.safeParse(JSON.parse((await fetchStaticPage(request, '/build.json')) ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The catalogue's version in the live site; 0, so that every change counts as unpublished, when it is not known. */
export async function readLiveVersion(request: Request): Promise<number> {
  return (await readLiveBuild(request))?.version ?? 0;
}
