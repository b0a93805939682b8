import { writeFileSync } from 'node:fs';
import { measureFeatures } from './count-lines.ts';
import { featuresPage, readFeatures, readPage } from './read-features.ts';
import { refreshPage } from './refresh-page.ts';

/*
 * npm run features: refreshes docs/features.md.
 * npm run features -- occasion: lists the files of a feature and the files that import them, to take it out.
 */
const page = readPage();
const { facts, faults } = measureFeatures(readFeatures(page));
const wanted = process.argv[2]?.toLowerCase();
const found = facts.find(({ name }) => name.toLowerCase() === wanted);

if (wanted === undefined) writeFileSync(featuresPage, refreshPage(page, facts));
else if (found)
  console.log(
    [
      `Files of ${found.name}:`,
      ...found.files,
      '',
      'Files that import them:',
      ...found.mentions,
    ].join('\n'),
  );
else faults.push(`There is no feature "${wanted}" in ${featuresPage}.`);

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
