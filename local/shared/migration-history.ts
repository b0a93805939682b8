import { timeOf, type Checksums, type Release } from './releases.ts';
import { StartError } from './start-error.ts';

/** A history of migrations, by their times, with each baseline in place of what it replaces. */
interface FoldedHistory {
  history: string[];
  /** The times that are no longer in it. */
  reverted: string[];
  /** The times of the baselines that stand for them. */
  applied: string[];
  /** The release whose migrations the history has in part alone, with what it lacks of them. The history then stays as it is. */
  gap: { release: Release; missing: string[] } | null;
}

/** The times that the baseline of a release replaces, its own among them. */
const replacedTimes = (releases: readonly Release[], release: Release): string[] =>
  foldHistory(
    releases.slice(0, releases.indexOf(release)),
    Object.keys(release.migrations).map(timeOf),
  ).history;

/**
 * Puts the baselines of `releases` into the history of a database. A baseline has the time of the last migration that it replaces, so
 * a history with that time and none of the others has it already.
 *
 * @param releases - Oldest first.
 * @param applied - The times of the migrations that the database has.
 */
export function foldHistory(
  releases: readonly Release[],
  applied: readonly string[],
): FoldedHistory {
  let history = [...applied];
  const reverted: string[] = [];
  const times = releases.flatMap(({ baseline }) => (baseline ? [timeOf(baseline.file)] : []));
  for (const release of releases) {
    if (!release.baseline || history.length === 0) continue;
    const own = timeOf(release.baseline.file);
    const replaced = replacedTimes(releases, release);
    const found = replaced.filter((time) => time !== own && history.includes(time));
    if (found.length === 0 && times.some((time) => time >= own && history.includes(time))) continue;
    const missing = replaced.filter((time) => !history.includes(time));
    if (missing.length > 0)
      return { history: [...applied], reverted: [], applied: [], gap: { release, missing } };
    reverted.push(...found);
    history = history.filter((time) => !found.includes(time));
  }
  const stand = reverted.length === 0 ? [] : times.filter((time) => history.includes(time));
  return { history, reverted, applied: stand, gap: null };
}

/**
 * What a database with a gap has to do, as a sentence.
 *
 * @param subject - Such as "The database".
 */
export const describeGap = (subject: string, { release }: { release: Release }): string =>
  `${subject} is older than ${release.version}. Upgrade to ${release.version} first, by the page of that version: git show ${release.commit.slice(0, 8)}:docs/upgrading.md.`;

/** The times of the migrations that Supabase's CLI has noted in a database. Empty when it has noted none. */
export async function readHistory(query: <Row>(sql: string) => Promise<Row[]>): Promise<string[]> {
  const [table] = await query<{ found: boolean }>(
    `select to_regclass('supabase_migrations.schema_migrations') is not null as found`,
  );
  if (table?.found !== true) return [];
  const rows = await query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations order by version',
  );
  return rows.map(({ version }) => version);
}

/** What the history of a database has to be told, or null. Throws StartError for a history with a gap. */
export function planRepair(
  releases: readonly Release[],
  history: readonly string[],
): { reverted: string[]; applied: string[] } | null {
  const { reverted, applied, gap } = foldHistory(releases, history);
  if (gap) throw new StartError(describeGap('The database', gap));
  return reverted.length === 0 ? null : { reverted, applied };
}

/** The migrations, by their files, that a baseline has replaced: each is in the history of this repository, and in no checkout. */
export function replacedFiles(releases: readonly Release[]): Set<string> {
  const last = releases.findLastIndex(({ baseline }) => baseline !== undefined);
  return new Set(
    releases
      .slice(0, last + 1)
      .flatMap(({ migrations, baseline }, index) => [
        ...Object.keys(migrations),
        ...(baseline && index < last ? [baseline.file] : []),
      ]),
  );
}

/** Faults against the rule that released migrations never change: one sentence for each file. */
export function findChangedMigrations(
  releases: readonly Release[],
  current: Readonly<Checksums>,
): string[] {
  const replaced = replacedFiles(releases);
  const released = new Map(
    releases
      .flatMap(({ version, migrations, baseline }) =>
        [
          ...Object.entries(migrations),
          ...(baseline ? [[baseline.file, baseline.sha256] as const] : []),
        ].map(([file, hash]) => [file, { version, hash }] as const),
      )
      .filter(([file]) => !replaced.has(file)),
  );
  const last = [...released.keys()].sort().at(-1) ?? '';
  const changed = [...released].flatMap(([file, { version, hash }]) => {
    if (!(file in current)) return [`${file} is gone: it belongs to ${version}.`];
    return current[file] === hash
      ? []
      : [`${file} has changed since ${version}: put it back, and add a file for the change.`];
  });
  const others = Object.keys(current).filter((file) => !released.has(file) && file < last);
  return [
    ...changed,
    ...others.map((file) =>
      replaced.has(file)
        ? `${file} is in the baseline: delete it.`
        : `${file} runs before ${last}, which is released: give it a later time.`,
    ),
  ];
}

/** The release that a database with these migrations (their times) is at, for a sentence. */
export function describeVersion(releases: readonly Release[], applied: readonly string[]): string {
  const { history } = foldHistory(releases, applied);
  const timesOf = ({ migrations }: Release): string[] =>
    foldHistory(releases, Object.keys(migrations).map(timeOf)).history;
  const release = releases.findLast((one) => timesOf(one).every((time) => history.includes(time)));
  const last = [...history].sort().at(-1);
  if (last === undefined) return 'at no migration';
  const known = release ? timesOf(release) : [];
  const more = history.filter((time) => !known.includes(time)).length;
  if (!release) return `at migration ${last}, of no release`;
  if (more === 0) return `at ${release.version}`;
  return `at ${release.version} and ${String(more)} later migration${more === 1 ? '' : 's'}, the last ${last}`;
}
