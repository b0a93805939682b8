import { describeDatabase, type Database } from '#local/shared/describe-database.ts';
import type { Release } from '#local/shared/releases.ts';
import type { SqlFile } from '#local/shared/sql-files.ts';
import { StartError } from '#local/shared/start-error.ts';
import { listByHand } from './by-hand.ts';
import { readDependents } from './dependents.ts';
import { createMentions, findBrokenCalls, readPublicFunctions } from './last-release-calls.ts';
import { formatMigration, type HandWritten } from './migration-file.ts';
import { readCreations } from './sql-statements.ts';
import { planMigration, type Plan } from './write-block.ts';

/**
 * Plans the migration from one database to the other.
 *
 * @param schemas - The files that made `declared`.
 */
export async function planBetween(
  declared: Database,
  migrated: Database,
  schemas: readonly SqlFile[],
): Promise<Plan> {
  return planMigration({
    declared: await describeDatabase(declared),
    migrated: await describeDatabase(migrated),
    dependents: await readDependents(migrated),
    creations: schemas.flatMap(({ sql }) => readCreations(sql)),
  });
}

export interface MadeMigration {
  text: string;
  plan: Plan;
  /** Why the file does not run yet, or null. */
  fault: string | null;
}

/**
 * Compares supabase/schemas with the migrations and writes the text of a migration that makes them equal.
 *
 * @param older - The migrations before it.
 * @param parts - What the author has written in it.
 * @param create - Makes a database of files, which is closed at the end.
 * @throws StartError when the site of the last release calls what the new database lacks.
 */
export async function makeMigration(
  schemas: readonly SqlFile[],
  older: readonly SqlFile[],
  parts: HandWritten,
  lastRelease: Release | undefined,
  create: (files: readonly SqlFile[]) => Promise<Database & { close: () => Promise<void> }>,
): Promise<MadeMigration> {
  const declared = await create(schemas);
  try {
    const migrated = await create([
      ...older,
      { name: 'The part before the written one', sql: parts.before },
    ]);
    try {
      if (lastRelease) {
        const broken = findBrokenCalls(
          await readPublicFunctions(declared),
          await readPublicFunctions(migrated),
          lastRelease.version,
          createMentions(lastRelease),
        );
        if (broken.length > 0) throw new StartError(broken.join('\n'));
      }
      const plan = await planBetween(declared, migrated, schemas);
      let fault: string | null = null;
      try {
        await migrated.run(`${plan.sql}\n${parts.after}`);
        // The parts by hand may have done some of it already.
        const refused = plan.before.filter((line) => line.startsWith('function '));
        const left = listByHand(await describeDatabase(declared), await describeDatabase(migrated));
        plan.before = [...left.before, ...refused];
        plan.after = left.after;
      } catch (error) {
        fault = error instanceof Error ? error.message : String(error);
      }
      return { text: formatMigration(parts, plan), plan, fault };
    } finally {
      await migrated.close();
    }
  } finally {
    await declared.close();
  }
}
