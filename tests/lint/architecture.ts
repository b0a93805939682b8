import type { Plugin } from '@oxlint/plugins';
import { cyclesRule } from './cycles-rule.ts';
import { daysRule } from './days-rule.ts';
import { environmentRule } from './environment-rule.ts';
import { filesRule } from './files-rule.ts';
import { importsRule } from './imports-rule.ts';

/** The architecture, enforced: who imports whom, who reads the environment, what files are called, whose day is shown. */
const plugin: Plugin = {
  meta: { name: 'shop' },
  rules: {
    imports: importsRule,
    cycles: cyclesRule,
    days: daysRule,
    environment: environmentRule,
    files: filesRule,
  },
};

export default plugin;
