import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** A process that takes payments until it ends, while the file is being written and in the pause after that. */
const program = `
  const { createLedger } = await import(process.argv[1]);
  const ledger = await createLedger(process.argv[2]);
  for (const key of ['first', 'second']) {
    ledger.records.refundKeys[key] = { request: key, refundId: key };
    ledger.save();
    await new Promise((done) => setImmediate(done));
  }
  process.exit(0);
`;

test('answers that the payment sandbox gave before its process ended are there after the next start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-ledger-'));
  const file = join(folder, 'razorpay.json');
  const ledger = resolve(import.meta.dirname, '../../local/razorpay/ledger.ts');
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program, ledger, file],
    { encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
  const { refundKeys } = JSON.parse(await readFile(file, 'utf8')) as { refundKeys: object };
  expect(Object.keys(refundKeys)).toEqual(['first', 'second']);
  await rm(folder, { recursive: true });
});
