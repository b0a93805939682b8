import type { ProgressEvent } from './events.ts';

/** The state of one part of a run. */
export interface Progress {
  /** Null until the runner has found its tests. */
  total: number | null;
  unit: 'files' | 'tests';
  files: number;
  tests: number;
  failed: number;
}

export const nothingYet: Progress = { total: null, unit: 'tests', files: 0, tests: 0, failed: 0 };

/** The state after one more event. */
export function nextProgress(progress: Progress, event: ProgressEvent): Progress {
  switch (event.kind) {
    case 'start':
      return { ...progress, unit: event.unit, total: event.total };
    case 'file':
      return { ...progress, files: progress.files + 1 };
    case 'test':
      return {
        ...progress,
        tests: progress.tests + 1,
        failed: progress.failed + (event.failed ? 1 : 0),
      };
  }
}

/** 80 → '1 min 20 s'. */
function formatSeconds(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = `${String(Math.floor(seconds % 60))} s`;
  return minutes === 0 ? rest : `${String(minutes)} min ${rest}`;
}

/** 'rules: 812 tests in 60 of 171 files, 0 failed, 1 min 20 s' */
export function progressLine(part: string, progress: Progress, seconds: number): string {
  const { total, unit, files, tests, failed } = progress;
  if (total === null) return `${part}: starting, ${formatSeconds(seconds)}`;
  const done =
    unit === 'files'
      ? `${String(tests)} tests in ${String(files)} of ${String(total)} files`
      : `${String(tests)} of ${String(total)} tests`;
  return `${part}: ${done}, ${String(failed)} failed, ${formatSeconds(seconds)}`;
}
