import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isAlive } from '../../local/data-folder/running.ts';
import { startEmbeddedStack } from '../bench/support/embedded-stack.ts';

/* The benches stop a stack in the end, whatever happened to it before: an upgrade that fails has stopped the old one. */

const running = { adminPassword: 'x', customer: { email: 'x', password: 'x' } };
const secrets = Object.fromEntries(
  [
    ...['jwtSecret', 'publishableKey', 'secretKey', 'adminPasswordHash'],
    ...['razorpayKeyId', 'razorpayKeySecret', 'razorpayWebhookSecret'],
  ].map((name) => [name, 'x']),
);
/** Prints that it is ready, and runs until it gets a signal. */
const program = `
  const { writeFileSync } = require('node:fs');
  const write = (name, value) => writeFileSync(process.env.SHOP_DATA_DIR + '/' + name, JSON.stringify(value));
  write('running.json', { pid: process.pid, ...${JSON.stringify(running)} });
  write('secrets.json', ${JSON.stringify(secrets)});
  process.on('SIGINT', () => process.exit(0));
  setInterval(() => {}, 60_000);
  console.log('Ready in 0 s');
`;

test('a stack that has ended, or is stopped already, can be stopped', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shop-stop-'));
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ scripts: { start: 'node stack.cjs' } }),
  );
  await writeFile(join(folder, 'stack.cjs'), program);
  const stopped = await startEmbeddedStack(folder, { sources: folder });
  expect(isAlive(stopped.pid)).toBe(true);
  await stopped.stop();
  expect(isAlive(stopped.pid)).toBe(false);
  await stopped.stop();

  const ended = await startEmbeddedStack(folder, { sources: folder });
  process.kill(ended.pid, 'SIGKILL');
  await vi.waitFor(() => {
    expect(isAlive(ended.pid)).toBe(false);
  }, 15_000);
  await ended.stop();
  await rm(folder, { recursive: true, force: true });
});
