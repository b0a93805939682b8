import { createHash } from 'node:crypto';

/** The hash by which a page's content policy allows a script that stands in its markup. */
export const scriptHash = (script: string): `sha256-${string}` =>
  `sha256-${createHash('sha256').update(script).digest('base64')}`;
