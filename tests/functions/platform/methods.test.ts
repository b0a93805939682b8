import { expect, test } from 'vitest';
import { everyAddress } from '#tests/functions/support/functions.ts';
import { useStack } from '#tests/functions/support/stack.ts';

const stack = await useStack();

test('every address refuses a method that it does not have, and says which it has', async () => {
  const addresses = (await everyAddress()).filter(({ path }) => path.startsWith('/api/'));
  expect(addresses.length).toBeGreaterThan(70);
  const answers: Record<string, string> = {};
  for (const { endpoint, path } of addresses) {
    for (const method of ['PATCH', 'OPTIONS']) {
      const { status, headers } = await stack.call(endpoint, path, { method });
      if (status !== 405 || !headers.get('allow')) answers[`${method} ${path}`] = String(status);
    }
  }
  expect(answers).toEqual({});
});
