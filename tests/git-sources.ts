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
