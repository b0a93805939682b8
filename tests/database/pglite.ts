import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { PGlite } from '@supabase/lite/pglite';
import { migrate, readSteps, type Database } from './database.ts';

/** Who asks: a role of Supabase, a shopper with the claims of their token, or the owner of the database. */
export interface Asker {
  role: 'anon' | 'authenticated' | 'service_role';
  claims?: Readonly<Record<string, unknown>>;
}

export interface PgliteDatabase extends Database {
  /** Runs one statement as `asker` would through the API, in a transaction that is kept unless it fails. */
  as: <Row = Record<string, unknown>>(asker: Asker, sql: string, ...values: readonly unknown[]) => Promise<Row[]>;
  close: () => Promise<void>;
}

const modules = new URL('../../node_modules/', import.meta.url);

const over = (engine: PGlite): Database => ({
  query: async <Row>(sql: string, ...values: readonly unknown[]) => (await engine.query<Row>(sql, [...values])).rows,
  run: (sql) => engine.exec(sql),
});

/** The migrated cluster as a file: making one takes five seconds and more, loading one takes one. */
async function migratedCluster(): Promise<Blob> {
  const { version } = JSON.parse(await readFile(new URL('@supabase/lite/package.json', modules), 'utf8')) as {
    version: string;
  };
  const hash = createHash('sha256').update([version, ...(await readSteps())].join('\n'));
  const cache = new URL('.cache/kasavu/', modules);
  const file = new URL(`pglite-${hash.digest('hex').slice(0, 16)}.tar`, cache);
  try {
    return new Blob([await readFile(file)]);
  } catch {
    const engine = await PGlite.create();
    await migrate(over(engine));
    const dump = await engine.dumpDataDir('none');
    await engine.close();
    await mkdir(cache, { recursive: true });
    const outdated = (await readdir(cache)).filter((name) => name.endsWith('.tar'));
    await Promise.all(outdated.map((name) => rm(new URL(name, cache), { force: true })));
    // Renamed when whole: another run at the same moment must not load half a file.
    const part = new URL(`${crypto.randomUUID()}.part`, cache);
    await writeFile(part, Buffer.from(await dump.arrayBuffer()));
    await rename(part, file);
    return dump;
  }
}

/** A new in-memory PostgreSQL with Supabase's roles and every migration. */
export async function openPglite(): Promise<PgliteDatabase> {
  const engine = await PGlite.create({ loadDataDir: await migratedCluster() });
  return {
    ...over(engine),
    as: <Row>({ role, claims = {} }: Asker, sql: string, ...values: readonly unknown[]) =>
      engine.transaction(async (transaction) => {
        await transaction.query(`select set_config('request.jwt.claims', $1, true)`, [
          JSON.stringify({ role, ...claims }),
        ]);
        await transaction.exec(`set local role ${role}`);
        return (await transaction.query<Row>(sql, [...values])).rows;
      }),
    close: () => engine.close(),
  };
}
