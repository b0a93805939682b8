import { inspect } from 'node:util';

const nameOf = (row: unknown): string =>
  inspect(row, {
    breakLength: Number.POSITIVE_INFINITY,
    compact: true,
    depth: 4,
    maxArrayLength: 20,
    maxStringLength: 120,
  });

function failureOf(row: unknown, thrown: unknown): Error {
  const error = thrown instanceof Error ? thrown : new Error(inspect(thrown));
  error.message = `${nameOf(row)}: ${error.message}`;
  return error;
}

/**
 * Checks a table in one test, row by row in its order. Every row that fails is reported with its value and its own
 * difference; the rows after it are checked all the same. Rejects for a table without rows, which would prove nothing.
 */
export async function eachRow<const Row>(
  rows: readonly Row[],
  check: (row: Row) => unknown,
): Promise<void> {
  if (rows.length === 0) throw new Error('The table has no rows.');
  const failures: Error[] = [];
  for (const row of rows) {
    try {
      await check(row);
    } catch (thrown) {
      failures.push(failureOf(row, thrown));
    }
  }
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      `${String(failures.length)} of ${String(rows.length)} rows fail.`,
    );
}
