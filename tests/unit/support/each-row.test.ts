import { expect, test } from 'vitest';
import { eachRow } from '#tests/each-row.ts';

test('a table reports each row that fails, with its value, and checks the rows after it', async () => {
  const check = eachRow([1, 2, 3], async (row) => expect(await Promise.resolve(row)).toBe(2));
  const failures = [1, 3].map((row) => ({
    message: expect.stringMatching(`^${String(row)}: expected ${String(row)} to be 2`) as string,
  }));
  await expect(check).rejects.toMatchObject({ errors: failures, message: '2 of 3 rows fail.' });
});

test('a table without rows fails', async () => {
  await expect(eachRow([], () => undefined)).rejects.toThrow('no rows');
});
