/** The work was still under way at its time limit. It goes on, and nobody waits for it. */
class TimeLimitError extends Error {
  override name = 'TimeLimitError';
}

/** Waits for work until `end` (ms since the epoch) at the latest. Throws what it throws, or a TimeLimitError. */
export async function waitUntil<T>(end: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        reject(new TimeLimitError('Over its time limit'));
      },
      Math.max(0, end - Date.now()),
    );
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
