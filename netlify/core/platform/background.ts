import type { Context } from '@netlify/functions';
import { causeOf } from './cause-of.ts';
import { logLine } from './log.ts';

/**
 * Runs work after the response where the platform allows it (`waitUntil`), else before it. Its failure is logged and
 * never reaches the customer: the sweep retries it.
 */
export async function afterResponse(
  context: Context,
  name: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const done = work().then(
    () => undefined,
    (error: unknown) => {
      logLine({ task: name, error: causeOf(error) });
    },
  );
  // Older runtimes and plain callers have no waitUntil despite its type.
  const { waitUntil } = context as Partial<Context>;
  if (waitUntil) waitUntil.call(context, done);
  else await done;
}
