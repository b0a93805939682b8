import type { Release } from './releases.ts';

/** The words with which comments and `callNewFunction` name the newest release that something is still there for: 'of release X.Y.Z'. */
const words = /\b(?:of )?release (\d+\.\d+\.\d+)/giu;

/** Orders versions as numbers: 1.10.0 comes after 1.9.0. */
const compareVersions = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true });

/**
 * What serves releases older than the last but one, with path and line.
 *
 * @param sources - Path and text of each file.
 * @param releases - Oldest first, without the one that is being made.
 */
export function findExpired(
  sources: readonly { path: string; text: string }[],
  releases: readonly Pick<Release, 'version'>[],
): string[] {
  const oldest = releases.at(-2)?.version;
  if (oldest === undefined) return [];
  return sources.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(words)]
          .filter(([, version = '']) => compareVersions(version, oldest) < 0)
          .map(([found]) => `${path}:${String(index + 1)}: ${found}`),
      ),
  );
}
