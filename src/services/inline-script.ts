import { createHash } from 'node:crypto';

/** What a page's content policy names a script by that stands in its markup. */
export const scriptHash = (script: string): `sha256-${string}` =>
  `sha256-${createHash('sha256').update(script).digest('base64')}`;
