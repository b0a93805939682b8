import { relative } from 'node:path';
import type { FullConfig, Reporter, Suite, TestCase } from '@playwright/test/reporter';
import { writeEvent } from './events.ts';

/** Reports each test of Playwright to `run-all.ts` when it ends. */
export default class ProgressReporter implements Reporter {
  onBegin(_config: FullConfig, suite: Suite): void {
    writeEvent({ kind: 'start', unit: 'tests', total: suite.allTests().length });
  }

  onTestEnd(test: TestCase): void {
    const project = test.parent.project()?.name ?? '';
    const place = `${relative(process.cwd(), test.location.file)}:${String(test.location.line)}`;
    writeEvent({
      kind: 'test',
      name: `[${project}] ${place} › ${test.title}`,
      failed: test.outcome() === 'unexpected',
    });
  }

  printsToStdio(): boolean {
    return false;
  }
}
