import { demoShopper } from '../demo/shopper.ts';
import { say } from './log.ts';
import type { Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';

/** The block that `npm start` ends with. */
export function announce({ origin, dataDir }: Settings, { adminPassword }: Secrets, seconds: number): void {
  const rows = [
    ['Shop', origin],
    ['Demo shopper', `${demoShopper.email}  password ${demoShopper.password}`],
    ['Owner', `${origin}/admin  password ${adminPassword}`],
    ['Mailbox', `${origin}/local/mailbox`],
    ['Payments', `${origin}/local/razorpay/`],
    ['Data', dataDir],
  ] as const;
  say('');
  for (const [label, value] of rows) say(`  ${label.padEnd(14)}${value}`);
  say(`\n  Ready in ${seconds.toFixed(1)} s. Ctrl-C stops it; \`npm run reset\` empties the data.\n`);
}
