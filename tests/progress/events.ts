import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';

/** The events of a reporter while its tests run, one JSON line each. */
const eventSchema = z.discriminatedUnion('kind', [
  /** How many there will be: test files for Vitest, which finds the tests of a file when it loads it; tests for Playwright. */
  z.object({ kind: z.literal('start'), unit: z.enum(['files', 'tests']), total: z.int() }),
  z.object({ kind: z.literal('file') }),
  z.object({ kind: z.literal('test'), name: z.string(), failed: z.boolean() }),
]);
export type ProgressEvent = z.infer<typeof eventSchema>;

/** Names the file of the events. */
export const eventsVariable = 'SHOP_TEST_EVENTS';

/** Writes an event for `run-all.ts`; nothing when a person runs the tests without it. */
export function writeEvent(event: ProgressEvent): void {
  const file = process.env[eventsVariable];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(event)}\n`);
}

/** Returns a function that reads the events written since its last call. */
export function followEvents(file: string): () => ProgressEvent[] {
  let read = 0;
  return () => {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    // The last line may still be on its way.
    const end = text.lastIndexOf('\n') + 1;
    const lines = text.slice(read, end).split('\n').filter(Boolean);
    read = end;
    return lines.map((line) => eventSchema.parse(JSON.parse(line)));
  };
}
