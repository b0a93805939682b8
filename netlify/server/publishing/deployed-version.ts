import * as z from 'zod/mini';
import { fetchStaticPage } from '../platform/static-page.ts';

const buildSchema = z.object({ version: z.int(), builtAt: z.string() });

/** What the site that customers see was built from: the catalogue's version, and when. */
export type DeployedBuild = z.infer<typeof buildSchema>;

/** Reads `/build.json` of the live site; null when it has none, or it cannot be had. */
export async function readDeployedBuild(request: Request): Promise<DeployedBuild | null> {
  try {
    const parsed = buildSchema.safeParse(
      JSON.parse((await fetchStaticPage(request, '/build.json')) ?? 'null'),
    );
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The catalogue's version in the live site; 0, so that every change counts as unpublished, when it is not known. */
export async function readDeployedVersion(request: Request): Promise<number> {
  return (await readDeployedBuild(request))?.version ?? 0;
}
