import { readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { APIRoute } from 'astro';

/** The shop's own files with addresses that stay: icons, fonts, pictures. `public/` has those of the engine. */
const folder = join(process.cwd(), 'src/shop/public');

const types: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  woff2: 'font/woff2',
};

export const getStaticPaths = () =>
  globSync('**/*.*', { cwd: folder }).map((path) => ({
    params: { file: path.replaceAll('\\', '/') },
  }));

/** GET /favicon.svg, /fonts/… and the others; the build writes each as a file. */
export const GET: APIRoute<Record<string, never>, { file: string }> = async ({ params }) => {
  const type = types[params.file.split('.').at(-1) ?? ''];
  return new Response(await readFile(join(folder, params.file)), {
    headers: type === undefined ? {} : { 'content-type': type },
  });
};
