import type { Plugin } from '@oxlint/plugins';
import { cyclesRule } from './cycles-rule.ts';
import { environmentRule } from './environment-rule.ts';
import { filesRule } from './files-rule.ts';
import { importsRule } from './imports-rule.ts';

/** The architecture, enforced: who imports whom, who reads the environment, what files are called. */
const plugin: Plugin = {
  meta: { name: 'shop' },
  rules: {
    imports: importsRule,
    cycles: cyclesRule,
    environment: environmentRule,
    files: filesRule,
  },
};

export default plugin;
