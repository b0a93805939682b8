export interface Poll<T> {
  /** Sends the request now, or `request` instead of it. */
  send: (request?: () => Promise<T>) => Promise<void>;
  /** Ignores the response under way. */
  drop: () => void;
  /** Sends the request now and polls until the returned function is called. */
  start: () => () => void;
}

interface PollOptions<T> {
  request: () => Promise<T>;
  onData: (data: T) => void;
  onError: (error: unknown) => void;
  /** After each response: in how many ms the next request follows, and which one if not `request`. */
  next: () => { ms: number; request?: () => Promise<T> };
}

/**
 * Creates a repeated request. Only the response of the latest request counts, so a slow response never overwrites a
 * newer one. A hidden tab does not poll; it sends the request when it becomes visible.
 */
export function createPoll<T>({ request, onData, onError, next }: PollOptions<T>): Poll<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStarted = false;
  let latest = 0;
  const send = async (current = request): Promise<void> => {
    clearTimeout(timer);
    latest += 1;
    const mine = latest;
    try {
      const data = await current();
      if (mine !== latest) return;
      onData(data);
    } catch (error) {
      if (mine !== latest) return;
      onError(error);
    }
    if (!isStarted || document.visibilityState !== 'visible') return;
    const following = next();
    timer = setTimeout(() => void send(following.request), following.ms);
  };
  const drop = () => {
    latest += 1;
    clearTimeout(timer);
  };
  const comeBack = () => {
    if (document.visibilityState === 'visible') void send();
  };
  return {
    send,
    drop,
    start: () => {
      isStarted = true;
      void send();
      document.addEventListener('visibilitychange', comeBack);
      return () => {
        isStarted = false;
        drop();
        document.removeEventListener('visibilitychange', comeBack);
      };
    },
  };
}
