import type { Plugin } from '@oxlint/plugins';
import { daysRule } from './days-rule.ts';
import { environmentRule } from './environment-rule.ts';
import { filesRule } from './files-rule.ts';
import { importsRule } from './imports-rule.ts';
import { namesRule } from './names-rule.ts';

/** The architecture, enforced: who imports whom, who reads the environment, how files and names are written, whose day is shown. */
const plugin: Plugin = {
  meta: { name: 'shop' },
  rules: {
    imports: importsRule,
    days: daysRule,
    environment: environmentRule,
    files: filesRule,
    names: namesRule,
  },
};

export default plugin;
