import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import type { Random } from './random.ts';

/** A function at work, from its request to its response. */
export interface Process {
  name: string;
  isAlive: boolean;
  isDone: boolean;
  /** A call of it failed, or it was killed: what it had sent may be sent again by another. */
  isDisturbed: boolean;
  /** Calls that it has made and that nobody has answered. */
  calls: Call[];
  /** How long it waited for servers that hang, in seconds. */
  waitedSeconds: number;
}

/** An outgoing call of a process: to the database, to Razorpay, to the mail server. It waits until it is answered. */
export interface Call {
  process: Process;
  /** The name of a call, such as 'rpc mark_paid' or 'razorpay POST orders'. */
  name: string;
  /** Runs one request. */
  perform: () => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** How a call goes: `refused` has no effect, `lost` has its effect and no answer, `late` no answer and its effect later. */
export type Fate = 'answered' | 'refused' | 'lost' | 'late';

const current = new AsyncLocalStorage<Process>();
const never = new Promise<never>(() => undefined);
/** Turns of the event loop without a new call, after which a process that waits for one makes no other. */
const quietTurns = 3;

/** An outgoing call of whoever runs now. A killed process hears no answer, and its later calls reach nobody. */
export function callOut<T>(name: string, perform: () => Promise<T>): Promise<T> {
  const process = current.getStore();
  if (!process) return perform();
  if (!process.isAlive) return never;
  return new Promise<T>((resolve, reject) => {
    process.calls.push({ process, name, perform, resolve: resolve as Call['resolve'], reject });
  });
}

/** The process whose code runs now. */
export const currentProcess = (): Process | undefined => current.getStore();

export interface Processes {
  live: () => readonly Process[];
  /** Starts a process; `whenDone` gets its result unless it is killed. */
  start: <T>(name: string, work: () => Promise<T>, whenDone?: (result: T) => void) => Process;
  /** Waits until every process waits for an answer. */
  settle: () => Promise<void>;
  calls: () => readonly Call[];
  answer: (call: Call, fate?: Fate) => Promise<void>;
  /** Ends a process, as a platform does: nothing of it is undone. */
  kill: (process: Process) => void;
  /** Does what calls without an answer still had to do. */
  finishLate: () => Promise<number>;
}

export function openProcesses(): Processes {
  let live: Process[] = [];
  let late: Call[] = [];
  const fail = (call: Call): void => {
    call.process.isDisturbed = true;
    call.reject(new TypeError('fetch failed'));
  };
  return {
    live: () => live,
    start(name, work, whenDone) {
      const process: Process = {
        name,
        isAlive: true,
        isDone: false,
        isDisturbed: false,
        calls: [],
        waitedSeconds: 0,
      };
      live.push(process);
      void current.run(process, async () => {
        const result = await work();
        if (!process.isAlive) return;
        process.isDone = true;
        live = live.filter((other) => other !== process);
        whenDone?.(result);
      });
      return process;
    },
    async settle() {
      let quiet = 0;
      let before = -1;
      let turns = 0;
      while (quiet < quietTurns || live.some(({ calls }) => calls.length === 0)) {
        await turn();
        turns += 1;
        if (turns > 100_000)
          throw new Error(
            `Neither ended nor calling: ${live
              .filter(({ calls }) => calls.length === 0)
              .map(({ name }) => name)
              .join(', ')}`,
          );
        const now = live.reduce((sum, { calls }) => sum + calls.length, live.length * 1000);
        quiet = now === before ? quiet + 1 : 0;
        before = now;
      }
    },
    calls: () => live.flatMap(({ calls }) => calls),
    async answer(call, fate = 'answered') {
      call.process.calls = call.process.calls.filter((other) => other !== call);
      if (fate === 'refused') fail(call);
      else if (fate === 'late') {
        late.push(call);
        fail(call);
      } else {
        const result = await current.run(call.process, call.perform);
        if (fate === 'lost') fail(call);
        else call.resolve(result);
      }
    },
    kill(process) {
      process.isAlive = false;
      process.isDisturbed = true;
      process.calls = [];
      live = live.filter((other) => other !== process);
    },
    async finishLate() {
      const done = late;
      late = [];
      for (const { process, perform } of done) await current.run(process, perform);
      return done.length;
    },
  };
}

/** Runs all processes to their end, without faults. */
export async function finishAll(
  { processes }: { processes: Processes },
  random: Random,
): Promise<void> {
  for (;;) {
    await processes.settle();
    const calls = processes.calls();
    if (calls.length === 0) return;
    await processes.answer(random.pick(calls));
  }
}
