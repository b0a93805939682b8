import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPoll } from '../../../src/stores/poll.ts';

class Tab extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible';

  turn(to: DocumentVisibilityState): void {
    this.visibilityState = to;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

/** A poll every second, of requests that are answered by hand. */
function openPoll() {
  const tab = new Tab();
  vi.stubGlobal('document', tab);
  const requests: PromiseWithResolvers<string>[] = [];
  const shown: string[] = [];
  const poll = createPoll({
    request: () => {
      const request = Promise.withResolvers<string>();
      requests.push(request);
      return request.promise;
    },
    onData: (data) => shown.push(data),
    onError: (error) => shown.push(String(error)),
    next: () => ({ ms: 1_000 }),
  });
  const answer = async (index: number, data: string) => {
    requests[index]?.resolve(data);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { tab, poll, requests, shown, answer };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a poll', () => {
  test('sends the next request a second after each response, also after a failure', async () => {
    const { poll, requests, shown, answer } = openPoll();
    const stop = poll.start();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(requests).toHaveLength(1);
    requests[0]?.reject(new Error('offline'));
    await vi.advanceTimersByTimeAsync(1_000);
    await answer(1, 'second');
    expect(shown).toEqual(['Error: offline', 'second']);
    stop();
  });

  test('a slow response does not overwrite the response of a later request', async () => {
    const { poll, shown, answer } = openPoll();
    const stop = poll.start();
    void poll.send();
    await answer(1, 'new');
    await answer(0, 'old');
    expect(shown).toEqual(['new']);
    stop();
  });

  test('a hidden tab does not poll, and refetches when it becomes visible', async () => {
    const { tab, poll, requests, answer } = openPoll();
    const stop = poll.start();
    tab.turn('hidden');
    await answer(0, 'first');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests).toHaveLength(1);
    tab.turn('visible');
    expect(requests).toHaveLength(2);
    stop();
  });

  test('a response that arrives after the end is ignored, and nothing follows it', async () => {
    const { tab, poll, requests, shown, answer } = openPoll();
    poll.start()();
    await answer(0, 'late');
    tab.turn('visible');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(shown).toEqual([]);
    expect(requests).toHaveLength(1);
  });
});
