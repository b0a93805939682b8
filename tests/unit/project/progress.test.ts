import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  eventsVariable,
  followEvents,
  writeEvent,
  type ProgressEvent,
} from '../../progress/events.ts';
import { nextProgress, nothingYet, progressLine } from '../../progress/progress.ts';

const lineAfter = (events: readonly ProgressEvent[], seconds: number): string =>
  progressLine('rules', events.reduce(nextProgress, nothingYet), seconds);

test('a progress line has the part, the tests done of all, the failures and the time', () => {
  const passed: ProgressEvent = { kind: 'test', name: 'a', failed: false };
  const failed: ProgressEvent = { kind: 'test', name: 'b', failed: true };
  expect(lineAfter([], 4.2)).toBe('rules: starting, 4 s');
  expect(lineAfter([{ kind: 'start', unit: 'tests', total: 3 }, passed, failed], 80)).toBe(
    'rules: 2 of 3 tests, 1 failed, 1 min 20 s',
  );
  expect(
    lineAfter([{ kind: 'start', unit: 'files', total: 9 }, passed, passed, { kind: 'file' }], 59.9),
  ).toBe('rules: 2 tests in 1 of 9 files, 0 failed, 59 s');
});

test('events are read once, and a line that is still being written is read when it is whole', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shop-progress-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'events');
  const read = followEvents(file);
  expect(read()).toEqual([]);
  vi.stubEnv(eventsVariable, file);
  writeEvent({ kind: 'file' });
  expect(read()).toEqual([{ kind: 'file' }]);
  appendFileSync(file, '{"kind":"start","unit":"tests",');
  expect(read()).toEqual([]);
  appendFileSync(file, '"total":2}\n');
  expect(read()).toEqual([{ kind: 'start', unit: 'tests', total: 2 }]);
  expect(read()).toEqual([]);
});
