import type { Plugin } from '@oxlint/plugins';
import { daysRule } from './days-rule.ts';
import { spreadRule } from './spread-rule.ts';

/** The rules that the linter does not have. */
const plugin: Plugin = { meta: { name: 'shop' }, rules: { days: daysRule, spread: spreadRule } };

export default plugin;
