import { warn } from '#local/shared/log.ts';
import { callFunction, platformLimits, refuseLargePayload } from './call-function.ts';
import { createContext } from './function-context.ts';
import { startFunctionLog } from './function-log.ts';
import { loadFunctions, matchFunction, type LoadedFunction } from './load-functions.ts';

/** A function that answers a request. */
export interface FunctionMatch {
  /** Static files at the same address win. */
  preferStatic: boolean;
  call: () => Promise<Response>;
}

export interface Functions {
  match: (request: Request) => FunctionMatch | null;
  /** Calls a function by its name, as the scheduler and the form collection do. 404 when there is none. */
  invoke: (name: string, request: Request) => Promise<Response>;
  /** Hands an event, e.g. `deploySucceeded`, to every function that listens to it. */
  emit: (event: string, payload: unknown) => Promise<void>;
  /** Name and cron expression of scheduled functions. */
  schedules: () => readonly { name: string; schedule: string }[];
  /** Imports all functions again. Throws when one cannot be; the ones before stay then. */
  reload: () => Promise<void>;
  /** Resolves when the work that functions left to `waitUntil` is done. */
  settled: () => Promise<void>;
  stop: () => void;
}

export interface FunctionsOptions {
  /** The static file at an address of the site, for `context.next`. */
  fetchStatic: (request: Request) => Promise<Response>;
  /** Where functions log to; null is the terminal. */
  logFile: string | null;
}

/** The functions of netlify/functions, imported from their sources into this process. Throws when one cannot be. */
export async function createFunctions({
  fetchStatic,
  logFile,
}: FunctionsOptions): Promise<Functions> {
  const closeLog = startFunctionLog(logFile);
  const pending = new Set<Promise<unknown>>();
  let loaded: readonly LoadedFunction[] = await loadFunctions();

  function waitUntil(work: Promise<unknown>): void {
    const done = work
      .catch((error: unknown) => {
        warn('Work left to waitUntil failed', error);
      })
      .finally(() => pending.delete(done));
    pending.add(done);
  }

  async function call(
    { name, fetch: handler, schedule }: LoadedFunction,
    request: Request,
    params: Record<string, string>,
  ): Promise<Response> {
    if (!handler) return new Response('This function takes events only', { status: 404 });
    const made = createContext({ request, params, fetchStatic, waitUntil });
    const limitMs = schedule === null ? platformLimits.synchronousMs : platformLimits.scheduledMs;
    return (
      (await refuseLargePayload(request)) ?? callFunction({ name, handler, request, made, limitMs })
    );
  }

  return {
    match(request) {
      const { pathname } = new URL(request.url);
      for (const one of loaded) {
        const params = matchFunction(one, request.method, pathname);
        if (params)
          return { preferStatic: one.preferStatic, call: async () => call(one, request, params) };
      }
      return null;
    },
    async invoke(name, request) {
      const found = loaded.find((one) => one.name === name);
      return found
        ? call(found, request, {})
        : new Response('There is no such function', { status: 404 });
    },
    async emit(event, payload) {
      for (const { name, events } of loaded) {
        try {
          await events[event]?.(payload);
        } catch (error) {
          warn(`The function ${name} failed at ${event}`, error);
        }
      }
    },
    schedules: () =>
      loaded.flatMap(({ name, schedule }) => (schedule === null ? [] : [{ name, schedule }])),
    async reload() {
      loaded = await loadFunctions();
    },
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
    stop: closeLog,
  };
}
