import { cyclesRule } from './cycles-rule.ts';
import { environmentRule } from './environment-rule.ts';
import { filesRule } from './files-rule.ts';
import { importsRule } from './imports-rule.ts';

export default { meta: { name: 'shop' }, rules: { imports: importsRule, cycles: cyclesRule, environment: environmentRule, files: filesRule } };
