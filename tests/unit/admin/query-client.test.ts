import { environmentManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pollMs, queryClient, refetch } from '#islands/admin/shared/fetching/query-client.ts';
import { AdminError } from '#services/admin/admin-error.ts';
import { adminSignOut } from '#stores/admin-session.ts';

/** Data that is shown, whose requests are answered by hand. */
function show(queryKey: readonly string[]) {
  const requests: (PromiseWithResolvers<string> & { signal: AbortSignal })[] = [];
  const observer = new QueryObserver(queryClient, {
    queryKey,
    queryFn: ({ signal }) => {
      const request = Promise.withResolvers<string>();
      requests.push({ ...request, signal });
      return request.promise;
    },
  });
  const stop = observer.subscribe(() => undefined);
  const answer = async (index: number, data: string) => {
    requests[index]?.resolve(data);
    await vi.advanceTimersByTimeAsync(0);
  };
  const fail = async (index: number) => {
    requests[index]?.reject(new AdminError('The shop is resting.', 500, 'resting'));
    await vi.advanceTimersByTimeAsync(0);
  };
  const shown = () => observer.getCurrentResult().data;
  return { observer, requests, stop, answer, fail, shown };
}

beforeEach(() => {
  // Outside of a browser the library polls nothing.
  environmentManager.setIsServer(() => false);
  vi.useFakeTimers();
});
afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
});

test('a refetch after a change replaces the request under way, which began too early', async () => {
  const { requests, stop, answer, shown } = show(['order']);
  await answer(0, 'new');
  refetch(['order']);
  refetch(['order']);
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
  await answer(2, 'packed');
  await answer(1, 'new');
  expect(shown()).toBe('packed');
  stop();
});

test('after a log-out nothing is left of what was fetched, nor of requests under way', async () => {
  const [loaded, loading] = [show(['customers']), show(['figures'])];
  await loaded.answer(0, 'Meera');
  loaded.stop();
  loading.stop();
  vi.stubGlobal('localStorage', undefined);
  adminSignOut();
  await loading.answer(0, '₹5,000');
  expect(queryClient.getQueryCache().getAll()).toEqual([]);
  vi.unstubAllGlobals();
});

test('a first load that fails waits for the admin; what is shown already stays and is requested again until it succeeds', async () => {
  const { observer, requests, stop, answer, fail, shown } = show(['orders']);
  await fail(0);
  await vi.advanceTimersByTimeAsync(3 * pollMs);
  expect(requests).toHaveLength(1);
  void observer.refetch();
  await answer(1, 'one order');
  await vi.advanceTimersByTimeAsync(3 * pollMs);
  expect(requests).toHaveLength(2);
  refetch(['orders']);
  await fail(2);
  expect(shown()).toBe('one order');
  await vi.advanceTimersByTimeAsync(pollMs);
  await fail(3);
  expect(observer.getCurrentResult().error?.message).toBe('The shop is resting.');
  await vi.advanceTimersByTimeAsync(pollMs);
  await answer(4, 'two orders');
  await vi.advanceTimersByTimeAsync(3 * pollMs);
  expect(requests).toHaveLength(5);
  expect([shown(), observer.getCurrentResult().error]).toEqual(['two orders', null]);
  stop();
});
