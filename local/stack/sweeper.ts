import { json, type Handler } from '../http/handler.ts';
import type { NetlifyRuntime } from '../site/netlify.ts';
import { warn } from './log.ts';

export interface Sweeper {
  /** POST /local/sweep: sweeps now and answers how it went. */
  handle: Handler;
  /** Sweeps every half minute from now on. */
  start: () => void;
  stop: () => void;
}

/** What the function answered. */
interface Outcome {
  status: number;
  answer: string;
}

const everyMs = 30_000;
const address = '/.netlify/functions/payment-sweep';

/** Netlify's scheduler: calls the function `payment-sweep`, one call at a time. */
export function createSweeper(netlify: NetlifyRuntime, origin: string): Sweeper {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<Outcome> | null = null;
  let told = false;

  async function call(): Promise<Outcome> {
    const answer = await netlify.handle(
      new Request(origin + address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ next_run: new Date(Date.now() + everyMs).toISOString() }),
      }),
    );
    if (!answer) return { status: 404, answer: 'There is no such function' };
    return { status: answer.response.status, answer: await answer.response.text() };
  }

  /** Calls that come while one runs share its answer. */
  async function sweep(): Promise<Outcome> {
    running ??= call().finally(() => { running = null; });
    return running;
  }

  async function sweepByTimer(): Promise<void> {
    try {
      const { status } = await sweep();
      if (status !== 200 && !told) warn(`The function payment-sweep answered ${String(status)}`);
      told = status !== 200;
    } catch (error) {
      warn('The function payment-sweep failed', error);
    }
  }

  return {
    async handle(request) {
      if (new URL(request.url).pathname !== '/local/sweep' || request.method !== 'POST') return undefined;
      // One that began earlier may have missed what the caller waits for.
      if (running) await running.catch(() => undefined);
      const outcome = await sweep();
      return json(outcome, outcome.status === 200 ? 200 : 502);
    },
    start() {
      timer ??= setInterval(() => void sweepByTimer(), everyMs);
    },
    stop() {
      clearInterval(timer);
    },
  };
}
