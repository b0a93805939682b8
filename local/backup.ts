/* `npm run backup`: writes everything that a shop has into one encrypted file. */
import { parseArgs } from 'node:util';
import { isoDateInIndia } from '#domain/india-month.ts';
import { backUp } from './backup/back-up.ts';
import {
  readKey,
  runCommand,
  sharedOptions,
  sharedUsage,
  withShop,
} from './backup/command-line.ts';
import { loadEnvFile } from './shared/env-file.ts';
import { say } from './shared/log.ts';

const usage = `npm run backup -- [--out FILE] [--env-file FILE] [--embedded]
  Writes all rows and all files of the shop into one file, encrypted with BACKUP_PASSPHRASE, or for the owner of a key pair of
  age-keygen with BACKUP_RECIPIENT (age1…). Nobody waits for it; run it as often as a lost day would hurt.
  --out FILE        default: shop-<date>.backup.age
${sharedUsage}`;

await runCommand(async () => {
  const { values } = parseArgs({ options: { ...sharedOptions, out: { type: 'string' } } });
  if (values.help) {
    say(usage);
    return;
  }
  loadEnvFile(values['env-file']);
  const file = values.out ?? `shop-${isoDateInIndia(new Date().toISOString())}.backup.age`;
  const key = await readKey(process.env);
  const { rows, files } = await withShop(values, (data) => backUp(data, file, key));
  say(`${file}: ${String(rows)} rows and ${String(files)} files. Keep its key elsewhere.`);
});
