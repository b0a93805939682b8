import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2' };
const assetPath = /^\/_astro\/[\w.@~-]+$/u;

/**
 * An asset of an older build, for a page that was opened before a newer one was swapped in. On Netlify such a page's
 * addresses name their deploy; here the last builds are kept. Null for anything else.
 */
export async function findOlderAsset(pathname: string, buildsDir: string): Promise<Response | null> {
  if (!assetPath.test(pathname)) return null;
  for (const build of (await readdir(buildsDir)).sort().reverse()) {
    const content = await readFile(join(buildsDir, build, pathname)).catch(() => null);
    if (content === null) continue;
    const type = types[extname(pathname)] ?? 'application/octet-stream';
    return new Response(new Uint8Array(content), { headers: { 'content-type': type, 'x-content-type-options': 'nosniff' } });
  }
  return null;
}
