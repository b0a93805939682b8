/** Lets `atOnce` pieces of work run at a time; the others wait their turn. */
export function inTurns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = [];
  let active = 0;
  return async (work) => {
    if (active >= atOnce) await new Promise<void>((resolve) => queue.push(resolve));
    else active += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      // Whoever waits takes over the place; it is given back when nobody does.
      if (next) next();
      else active -= 1;
    }
  };
}

/** Netlify ends a function after 30 seconds; one that neither answers nor ends is given up here. */
const givenUpAfterMs = 60_000;

/** A function's answer, or 504 when it takes too long. */
export async function withinTime(answer: Promise<Response>): Promise<Response> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Response>((resolve) => {
    const late = (): Response => Response.json({ message: 'The function did not answer' }, { status: 504 });
    timer = setTimeout(() => { resolve(late()); }, givenUpAfterMs);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
