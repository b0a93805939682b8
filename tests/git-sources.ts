import { execFileSync } from 'node:child_process';

/** Whether this checkout has the commit: a shallow clone, or a copy without git, does not. */
export function hasCommit(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Writes files and folders of a commit into a folder. */
export function extractSources(commit: string, folder: string, paths: readonly string[]): void {
  const archive = execFileSync('git', ['archive', commit, ...paths], { maxBuffer: 256e6 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
}

/** The text of a file at a commit. */
export const readSource = (commit: string, path: string): string =>
  execFileSync('git', ['show', `${commit}:${path}`], { encoding: 'utf8', maxBuffer: 16e6 });

/** The files of a folder at a commit, by their path from the root, in order. */
export const listSources = (commit: string, folder: string): string[] =>
  execFileSync('git', ['ls-tree', '--name-only', commit, `${folder}/`], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .sort();
