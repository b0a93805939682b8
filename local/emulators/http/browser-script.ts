import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';

/** Strips the types, without Node's warning that this is experimental. */
function stripTypes(source: string): string {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** A script (its types taken away) or a style sheet of this folder, as a browser gets it. */
export async function browserFile(path: string): Promise<Response> {
  const source = await readFile(path, 'utf8');
  const type = path.endsWith('.css') ? 'css' : 'javascript';
  return new Response(type === 'css' ? source : stripTypes(source), {
    headers: { 'content-type': `text/${type}; charset=utf-8`, 'cache-control': 'no-cache' },
  });
}
