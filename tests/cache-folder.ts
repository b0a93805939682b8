import { homedir } from 'node:os';
import { join } from 'node:path';

/** The path of something that tests fetch once for this machine: a browser, the packages of a release. */
export const cachePath = (name: string): string =>
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'shop-tests', name);
