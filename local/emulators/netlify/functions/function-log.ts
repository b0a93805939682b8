import { AsyncLocalStorage } from 'node:async_hooks';
import { createWriteStream } from 'node:fs';
import { format } from 'node:util';
import type { Context } from '@netlify/functions';

const running = new AsyncLocalStorage<{ name: string; context: Context }>();

/** Runs a function's code: what it writes to the console goes to the function log. */
export function inFunctionLog<T>(name: string, context: Context, run: () => T): T {
  return running.run({ name, context }, run);
}

/**
 * Sends what functions write to the console to `file`, which is emptied first, or to the terminal when that is null. Sets the
 * platform's `Netlify` global, too. Returns how to end the log.
 */
export function startFunctionLog(file: string | null): () => void {
  const log = file === null ? null : createWriteStream(file, { flags: 'w', mode: 0o600 });
  const originals = {
    log: console.log,
    info: console.info,
    warn: console.warn,
    error: console.error,
  };
  for (const [level, original] of Object.entries(originals)) {
    console[level as keyof typeof originals] = (...values: unknown[]) => {
      const caller = running.getStore();
      if (!caller) original(...values);
      else if (log) log.write(`${caller.name} ${format(...values)}\n`);
      else original(`[${caller.name}]`, ...values);
    };
  }
  Object.defineProperty(globalThis, 'Netlify', {
    configurable: true,
    writable: true,
    value: {
      get context() {
        return running.getStore()?.context ?? null;
      },
      env: {
        get: (name: string) => process.env[name],
        has: (name: string) => name in process.env,
        set: (name: string, value: string) => {
          process.env[name] = value;
        },
        delete: (name: string) => {
          Reflect.deleteProperty(process.env, name);
        },
        toObject: () => ({ ...process.env }),
      },
    },
  });
  return () => {
    Object.assign(console, originals);
    Reflect.deleteProperty(globalThis, 'Netlify');
    log?.end();
  };
}
