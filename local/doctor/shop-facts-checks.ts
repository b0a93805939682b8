import { join } from 'node:path';
import { demoImagesIn, placeholdersIn } from '../../src/integrations/check-shop/placeholders.ts';
import { projectRoot } from '../shared/settings.ts';
import type { Check } from './check.ts';

/** What customers read of src/shop. */
export const shopFactsChecks: readonly Check[] = [
  {
    name: 'The seller, texts and images in src/shop are the real ones',
    run({ context }) {
      if (context !== 'production') return null;
      const folder = join(projectRoot, 'src/shop');
      const left = [...placeholdersIn(folder), ...demoImagesIn(folder)];
      return left.length === 0
        ? null
        : `${String(left.length)} are still examples:\n${left.map((sentence) => `- ${sentence}`).join('\n')}`;
    },
    fix: 'Edit these files of src/shop: the law asks a seller to print name, address, GSTIN and grievance officer.',
  },
];
