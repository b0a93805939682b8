import { warn } from '#local/shared/log.ts';

type Step = () => Promise<void> | void;

export interface Shutdown {
  /**
   * Registers something to stop. `first` is for work that is to be finished while everything still runs, `last` for
   * what the others need until they have stopped.
   */
  onStop: (stop: Step, order?: Order) => void;
  /** Stops everything. What does not stop in time ends with the process. */
  stop: () => Promise<void>;
  signal: AbortSignal;
}

type Order = 'first' | 'then' | 'last';
const timeoutMs = { first: 3_000, then: 500, last: 600 } as const satisfies Record<Order, number>;

/** Ends the process on Ctrl-C and SIGTERM after stopping what was registered. */
export function createShutdown(): Shutdown {
  const steps: Record<Order, Step[]> = { first: [], then: [], last: [] };
  const aborter = new AbortController();
  let stopping: Promise<void> | null = null;

  async function stopAll(): Promise<void> {
    aborter.abort();
    for (const order of ['first', 'then', 'last'] as const)
      await inTime(steps[order], timeoutMs[order]);
  }

  async function stop(): Promise<void> {
    stopping ??= stopAll();
    return stopping;
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void stop().finally(() => process.exit(0)));
  }
  return {
    onStop(step, order = 'then') {
      steps[order].push(step);
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
  await Promise.race([
    Promise.all(all),
    new Promise((resolve) => setTimeout(resolve, milliseconds)),
  ]);
}
