import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import type * as z from 'zod';

/** Writes a file in one step: whoever reads it sees the old text or the new one, also after a crash. */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  await writeFile(draft, content, { mode });
  await rename(draft, path);
}

export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFileAtomically(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** The parsed content of a JSON file, or null when it is absent, broken or of another shape. */
export async function readJson<T extends z.ZodType>(
  path: string,
  schema: T,
): Promise<z.infer<T> | null> {
  try {
    const parsed = schema.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
