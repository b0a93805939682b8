import type { Plugin } from '@oxlint/plugins';
import { daysRule } from './days-rule.ts';

/** The one rule that the linter does not have. */
const plugin: Plugin = { meta: { name: 'shop' }, rules: { days: daysRule } };

export default plugin;
