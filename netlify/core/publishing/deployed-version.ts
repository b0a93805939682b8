import * as z from 'zod/mini';
import { fetchStaticPage } from '#core/platform/http/static-page.ts';

const buildSchema = z.object({ version: z.int(), builtAt: z.string() });

/** The version of the catalogue in the live site, and when it was built. */
export type DeployedBuild = z.infer<typeof buildSchema>;

/** Fetches `/build.json` of the live site; null when it does not exist or load. */
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
