/* The interface of a browser engine. Firefox and WebKit implement it; nothing else in the walk knows which one runs. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** A point in CSS pixels, from the top left corner of a frame. */
export interface Point {
  x: number;
  y: number;
}

/** One browser with a profile of its own, which `close` deletes. */
export interface Engine {
  open: (url: string) => Promise<void>;
  /**
   * Calls a function's source in the page with arguments that JSON can hold.
   * @param frame selector of an iframe of the page; the page itself when null
   */
  call: (source: string, args: readonly unknown[], frame: string | null) => Promise<unknown>;
  /** Clicks at a point of the frame, which is in the element that `locate` marked. */
  click: (point: Point, frame: string | null) => Promise<void>;
  /** Presses and releases one key after another in the focused field. */
  type: (keys: string) => Promise<void>;
  /** Chooses a file in the field that the selector finds. */
  upload: (selector: string, file: string) => Promise<void>;
  /** The viewport as PNG. */
  screenshot: () => Promise<Buffer>;
  /** Sets the size of the viewport, in CSS pixels. */
  resize: (width: number, height: number) => Promise<void>;
  /** The console errors since the last call. */
  takeErrors: () => Promise<string[]>;
  close: () => Promise<void>;
}

/** How an engine is found and started. */
export interface EngineKind {
  name: string;
  /** One sentence that says what to install; null when the engine is there. */
  missing: () => string | null;
  start: () => Promise<Engine>;
}

/** Time limit of every wait, in ms: generous, because the machine may be busy. */
const waitMs = 30_000;

/**
 * Polls until the function returns something other than null, undefined and false.
 * @throws {Error} that names what was awaited and the last failure, after half a minute
 */
export async function waitUntil<T>(
  what: string,
  poll: () => Promise<T | null | undefined | false>,
): Promise<T> {
  const until = performance.now() + waitMs;
  let last = '';
  do {
    try {
      const found = await poll();
      if (found !== null && found !== undefined && found !== false) return found;
    } catch (error) {
      // A page that is being replaced answers no script.
      last = `: ${error instanceof Error ? error.message : String(error)}`;
    }
    await new Promise((done) => setTimeout(done, 50));
  } while (performance.now() < until);
  throw new Error(`Waited half a minute for ${what}${last}`);
}

/** True when a program of that name is on the PATH. */
export const isInstalled = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** A folder for a browser's profile, and the programs that use it. */
export interface Processes {
  folder: string;
  run: (program: string, args: readonly string[], env?: NodeJS.ProcessEnv) => ChildProcess;
  /** Stops the programs, those they started included, and deletes the folder. */
  stop: () => Promise<void>;
}

/** Creates the folder; each program runs in a process group of its own. */
export async function createProcesses(): Promise<Processes> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-browser-'));
  const children: ChildProcess[] = [];
  const killAll = (): void => {
    for (const { pid, exitCode, signalCode } of children)
      if (pid !== undefined && exitCode === null && signalCode === null)
        process.kill(-pid, 'SIGTERM');
  };
  process.once('exit', killAll);
  return {
    folder,
    run: (program, args, env = {}) => {
      const child = spawn(program, args, {
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
        detached: true,
        env: { ...process.env, ...env },
      });
      children.push(child);
      return child;
    },
    stop: async () => {
      const ends = children
        .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
        .map(async (child) => once(child, 'exit'));
      killAll();
      await Promise.all(ends);
      process.off('exit', killAll);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
