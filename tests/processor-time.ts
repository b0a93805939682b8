import { readdirSync, readFileSync } from 'node:fs';

/** Seconds that one process has used and the process that started it. */
interface Sample {
  parent: number;
  seconds: number;
  /** Tells a process from a later one with the same number. */
  key: string;
}

const ticksPerSecond = 100;
const intervalMs = 300;

/** Reads one process from Linux's /proc; null when it has ended meanwhile. */
function readSample(pid: number): Sample | null {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    // The name before it, in brackets, may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      parent: Number(fields[1]),
      seconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
      key: `${String(pid)} ${fields[19] ?? ''}`,
    };
  } catch {
    return null;
  }
}

/**
 * Counts the processor seconds (user and system) of all processes that this one starts, and theirs, until `stop`. Looks
 * three times a second, because a browser's processes are not reaped by whoever started them; what ends between two looks
 * is missed. `stop` returns null where there is no /proc.
 */
export function watchProcessorTime(): { stop: () => number | null } {
  if (process.platform !== 'linux') return { stop: () => null };
  const used = new Map<string, number>();
  const family = new Set([process.pid]);
  const look = (): void => {
    const samples = new Map<number, Sample>();
    for (const name of readdirSync('/proc')) {
      const sample = /^\d+$/u.test(name) ? readSample(Number(name)) : null;
      if (sample) samples.set(Number(name), sample);
    }
    for (const pid of family) if (!samples.has(pid)) family.delete(pid);
    // A child's number may be below its parent's: until no more are found.
    let known = 0;
    while (known !== family.size) {
      known = family.size;
      for (const [pid, { parent }] of samples) if (family.has(parent)) family.add(pid);
    }
    for (const [pid, { key, seconds }] of samples) if (family.has(pid)) used.set(key, seconds);
  };
  const timer = setInterval(look, intervalMs);
  return {
    stop: () => {
      clearInterval(timer);
      look();
      return [...used.values()].reduce((sum, seconds) => sum + seconds, 0);
    },
  };
}
