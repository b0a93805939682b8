import { warn } from './log.ts';

type Step = () => Promise<void> | void;

export interface Shutdown {
  /** Registers something to stop. All are stopped at once, except `last` ones, which wait for the others. */
  onStop: (stop: Step, order?: 'last') => void;
  /** Stops everything. Over within 2 seconds: what does not end by itself is left to the end of the process. */
  stop: () => Promise<void>;
  signal: AbortSignal;
}

const patienceMs = { parts: 500, last: 600 } as const;

/** Ends the process on Ctrl-C and SIGTERM after stopping what was registered. */
export function createShutdown(): Shutdown {
  const parts: Step[] = [];
  const last: Step[] = [];
  const aborter = new AbortController();
  let stopping: Promise<void> | null = null;

  async function stopAll(): Promise<void> {
    aborter.abort();
    await inTime(parts, patienceMs.parts);
    await inTime(last, patienceMs.last);
  }

  async function stop(): Promise<void> {
    stopping ??= stopAll();
    return stopping;
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void stop().finally(() => process.exit(0)));
  }
  return {
    onStop(step, order) {
      (order === 'last' ? last : parts).push(step);
    },
    stop,
    signal: aborter.signal,
  };
}

async function inTime(steps: readonly Step[], milliseconds: number): Promise<void> {
  const all = steps.map(async (step) => {
    try {
      await step();
    } catch (error) {
      warn('Stopping', error);
    }
  });
  await Promise.race([Promise.all(all), new Promise((resolve) => setTimeout(resolve, milliseconds))]);
}
