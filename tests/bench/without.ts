/*
 * `npm run bench -- without [NAME…]`: the imports that have to go when a feature's folders are deleted, which are what the
 * compiler lists then. Ends with 1 when one feature is imported by more files than `maxFiles`.
 */
import { globSync, readFileSync } from 'node:fs';

const maxFiles = 4;

const files = globSync('{src,netlify,local}/**/*.{ts,tsx,astro,mjs}').map((file) =>
  file.replaceAll('\\', '/'),
);
const features = [
  ...new Set(
    files.flatMap((file) => /^(?:src|netlify)\/features\/([^/]+)\//u.exec(file)?.[1] ?? []),
  ),
].sort();
const named = process.argv.slice(2);
const unknown = named.filter((name) => !features.includes(name));
if (unknown.length > 0) throw new Error(`No feature has the name ${unknown.join(', ')}`);

/** Files of a feature, the lists that a script writes, and its deployed functions, which go with it. */
const isOwn = (file: string, feature: string): boolean =>
  file.split('/').includes(feature) || /^netlify\/(?:places|functions)\//u.test(file);

for (const feature of named.length > 0 ? named : features) {
  const importers = files.filter(
    (file) =>
      !isOwn(file, feature) &&
      new RegExp(`(?:from|import)[ (]'[./]+(?:[^']*features/)?${feature}/`, 'u').test(
        readFileSync(file, 'utf8'),
      ),
  );
  console.log(`${feature}: ${importers.join(', ') || 'no import'}`);
  if (importers.length > maxFiles) process.exitCode = 1;
}
