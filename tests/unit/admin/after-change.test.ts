import { expect, test, vi } from 'vitest';
import { publishApi } from '#domain/admin/publish.ts';
import { callAdmin, setAfterChange } from '#services/admin/api.ts';

test('what the admin changes is counted at once, and what the page asks by itself is not', async () => {
  vi.stubGlobal('navigator', { onLine: true });
  const requests: string[] = [];
  vi.stubGlobal('fetch', (address: string, { method }: RequestInit) => {
    requests.push(`${String(method)} ${address}`);
    return Promise.resolve(Response.json({ message: 'Not now' }, { status: 503 }));
  });
  const counted = vi.fn<() => void>();
  setAfterChange(counted);
  const call = (isByItself: boolean) =>
    callAdmin(publishApi.request, { body: { auto: isByItself }, isByItself }).catch(() => null);
  await call(true);
  expect(counted).not.toHaveBeenCalled();
  await call(false);
  expect(counted).toHaveBeenCalledTimes(1);
  expect(requests).toEqual(['POST /api/admin/publish', 'POST /api/admin/publish']);
  setAfterChange(null);
});
