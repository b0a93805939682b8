/* `npm run restore`: makes a newly migrated shop the one of a backup. */
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { restore } from './backup/back-up.ts';
import {
  readKey,
  runCommand,
  sharedOptions,
  sharedUsage,
  withShop,
} from './backup/command-line.ts';
import { loadEnvFile } from './shared/env-file.ts';
import { say } from './shared/log.ts';
import { StartError } from './shared/start-error.ts';

const usage = `npm run restore -- FILE --last-order 1042 [--last-invoice KSV/2026-27/0031] [--last-credit-note CN/2026-27/0002]
  Reads the whole backup, then replaces the rows of the database in one step and puts the files back. Numbers continue after
  the last ones that the shop issued, which are in the sent mails and in the accountant's CSV; 0 when there was no order. A backup with invoices asks for the last one, and so
  does one with credit notes.
  Mails that waited count as sent, sessions of the admin end, and the next sweep compares the payments at Razorpay.
  BACKUP_PASSPHRASE, or BACKUP_IDENTITY with the path of the key file, opens the backup.
  --replace         also over a shop that has orders or accounts
${sharedUsage}`;

const orderNumber = z.coerce.number<string>().int().min(0);

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...sharedOptions,
      replace: { type: 'boolean', default: false },
      'last-order': { type: 'string' },
      'last-invoice': { type: 'string' },
      'last-credit-note': { type: 'string' },
    },
  });
  const [file] = positionals;
  if (values.help || file === undefined) {
    say(usage);
    return;
  }
  const { success, data: order } = orderNumber.safeParse(values['last-order']);
  if (!success) throw new StartError(`--last-order is missing, or no number.\n\n${usage}`);
  loadEnvFile(values['env-file']);
  const last = {
    order,
    invoice: values['last-invoice'] ?? null,
    creditNote: values['last-credit-note'] ?? null,
  };
  const key = await readKey(process.env);
  const { rows, files } = await withShop(values, (data) =>
    restore(data, file, { key, last, replace: values.replace }),
  );
  say(
    `${String(rows)} rows and ${String(files)} files are back. What is left to do: docs/going-live.md, "After a restore".`,
  );
});
