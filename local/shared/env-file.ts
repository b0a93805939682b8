import { StartError } from './start-error.ts';

/**
 * Reads the variables of the file that `--env-file` names, if any. The scripts of package.json end Node's own options with `--`: Node would
 * read that option itself, and end without a word about it. Throws StartError.
 */
export function loadEnvFile(path: string | undefined): void {
  if (path === undefined) return;
  try {
    process.loadEnvFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new StartError(
      `The file of --env-file, ${path}, cannot be read (${code}). Give the path of the file with your variables, such as .env.`,
    );
  }
}
