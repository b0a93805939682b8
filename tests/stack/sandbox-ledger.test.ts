import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createLedger } from '#local/emulators/razorpay/ledger.ts';

/** A process that takes refunds until it ends, while the file is being written and in the pause after that. */
const program = `
  const { createLedger } = await import(process.argv[1]);
  const [ledger, ending] = [await createLedger(process.argv[2]), process.argv[3]];
  for (const key of ['first', 'second']) {
    const entry = { request: key, refundId: key };
    ledger.records.refundKeys[key] = entry;
    ledger.save({ refundKeys: { [key]: entry } });
    await new Promise((done) => setImmediate(done));
  }
  const order = { id: 'order_1', entity: 'order', amount: 100, amount_paid: 0, amount_due: 100, currency: 'INR', receipt: null,
    offer_id: null, status: 'created', attempts: 0, notes: [], created_at: 1 };
  ledger.records.orders.unshift(order);
  ledger.save({ orders: [order] });
  order.status = 'paid';
  ledger.save({ orders: [order] });
  if (ending === 'killed') process.kill(process.pid, 'SIGKILL');
  if (ending === 'ended') process.exit(0);
  await ledger.settled();
`;
const source = resolve(import.meta.dirname, '../../local/emulators/razorpay/ledger.ts');

test('what the payment sandbox answered is there after the next start, however its process ended', async () => {
  for (const ending of ['killed', 'ended', 'stopped']) {
    const folder = await mkdtemp(join(tmpdir(), 'sandbox-ledger-'));
    const file = join(folder, 'razorpay.json');
    const { signal, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program, source, file, ending],
      { encoding: 'utf8' },
    );
    expect([signal, stderr]).toEqual([ending === 'killed' ? 'SIGKILL' : null, '']);
    const read = async () => {
      const ledger = await createLedger(file);
      await ledger.settled();
      return ledger.records;
    };
    for (const records of [await read(), await read()]) {
      expect(Object.keys(records.refundKeys), ending).toEqual(['first', 'second']);
      expect(records.orders, ending).toMatchObject([{ id: 'order_1', status: 'paid' }]);
    }
    expect(await readdir(folder)).toEqual(['razorpay.json']);
    await rm(folder, { recursive: true });
  }
});
