import { Cron } from 'croner';
import { json, type Handler } from '#local/emulators/http/handler.ts';
import { warn } from '#local/shared/log.ts';
import type { Functions } from './functions.ts';

export interface Scheduler {
  /** POST /local/sweep runs `payment-sweep` now and returns its result, so that tests need not wait. */
  handle: Handler;
  stop: () => void;
}

/** The answer of a scheduled function. */
interface Outcome {
  status: number;
  answer: string;
}

/** Netlify's scheduler: calls each scheduled function on its cron expression (UTC), one call of a function at a time. */
export function startScheduler(functions: Functions, origin: string): Scheduler {
  const running = new Map<string, Promise<Outcome>>();

  async function call(name: string): Promise<Outcome> {
    const job = jobs.get(name);
    const response = await functions.invoke(
      name,
      new Request(`${origin}/.netlify/functions/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ next_run: job?.nextRun()?.toISOString() ?? null }),
      }),
    );
    return { status: response.status, answer: await response.text() };
  }

  /** Calls that come while one runs share its outcome. */
  async function run(name: string): Promise<Outcome> {
    const work = running.get(name) ?? call(name).finally(() => running.delete(name));
    running.set(name, work);
    return work;
  }

  const jobs = new Map<string, Cron>();
  for (const { name, schedule } of functions.schedules()) {
    const job = new Cron(schedule, { timezone: 'UTC', unref: true }, async () => {
      const { status } = await run(name);
      if (status >= 400) warn(`The scheduled function ${name} answered ${String(status)}`);
    });
    jobs.set(name, job);
  }

  return {
    async handle(request) {
      if (new URL(request.url).pathname !== '/local/sweep' || request.method !== 'POST')
        return undefined;
      // A run that began earlier may have missed what the caller waits for.
      await running.get('payment-sweep');
      const outcome = await run('payment-sweep');
      return json(outcome, outcome.status === 200 ? 200 : 502);
    },
    stop() {
      for (const job of jobs.values()) job.stop();
    },
  };
}
