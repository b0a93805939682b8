import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';

const shared = '/dev/shm';
const gigabyte = 2 ** 30;
/** Several times the 0.6 GB that a whole run has in it at most. */
const roomGb = 4;

/** Whether Linux's shared memory is there, has room and may hold programs; containers often give it 64 MB and no programs. */
function isSuitable(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8');
    // Where one is mounted over another, the last one counts.
    const [, options] = [...mounts.matchAll(/^\S+ \/dev\/shm tmpfs (\S+)/gmu)].at(-1) ?? [];
    if (options === undefined || options.split(',').includes('noexec')) return false;
    const { bavail, bsize } = statfsSync(shared);
    return Math.min(bavail * bsize, process.availableMemory()) > roomGb * gigabyte;
  } catch {
    return false;
  }
}

/**
 * Makes a folder in memory for the temporary files of the tests, which is gone when this process ends; null where there is no
 * room. The databases of the tests create 40,000 files and delete them, and ext4 passes over each inode that was freed in the
 * last minutes before it takes one: a quarter of the processor time of these tests.
 */
export function makeMemoryFolder(): string | null {
  // A person who names a folder wants that one.
  if (process.env['TMPDIR'] !== undefined || !isSuitable()) return null;
  const folder = mkdtempSync(`${shared}/shop-tests-`);
  // PostgreSQL, which runs as another user when the tests run as root, reaches its data through it.
  chmodSync(folder, 0o711);
  process.on('exit', () => {
    // After Ctrl-C the programs that write in it are still ending.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  return folder;
}
