import { mailEnv } from '#core/platform/env.ts';
import { version } from '#core/platform/version.ts';
import { demoCustomer } from '#local/demo/customer.ts';
import { say } from '#local/shared/log.ts';
import type { Base } from './base.ts';
import { writeRunning } from '#local/data-folder/running.ts';
import type { Settings } from '#local/shared/settings.ts';
import { printTimings } from '#local/shared/timings.ts';

/** Opens the stack to requests and prints the summary of `npm start`. */
export async function announceReady(
  { origin, sandboxOrigin }: Settings,
  { folder, secrets: { adminPassword }, router, project }: Base,
): Promise<void> {
  router.setReady();
  const payments = `${sandboxOrigin}/local/razorpay`;
  const smtpPort = Number(new URL(mailEnv().SMTP_URL).port);
  await writeRunning(folder, {
    url: origin,
    payments,
    smtpPort,
    pid: process.pid,
    adminPassword,
    customer: demoCustomer,
  });
  const rows = [
    ['Shop', origin],
    ['Demo customer', `${demoCustomer.email}  password ${demoCustomer.password}`],
    ['Owner', `${origin}/admin  password ${adminPassword}`],
    ['Mailbox', `${origin}/local/mailbox`],
    ['Payments', `${payments}/`],
    ...(project ? [['Supabase', project.SUPABASE_URL] as const] : []),
    ['Data', folder.root],
    ['Version', version],
  ] as const;
  say('');
  for (const [label, value] of rows) say(`  ${label.padEnd(14)}${value}`);
  say(
    `\n  Ready in ${(performance.now() / 1000).toFixed(1)} s. Ctrl-C stops it; \`npm run reset\` empties the data.\n`,
  );
  printTimings();
}
