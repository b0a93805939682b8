/**
 * Runs each piece of work when the one before has ended. PGlite has one connection, and `@supabase/lite` begins a transaction on it
 * for every request without waiting for that of another: their roles and roll-backs would mix.
 */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}
