import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, TestSpecification } from 'vitest/node';
import { writeEvent } from './events.ts';

/** Reports each test of Vitest to `run-all.ts` when it ends. */
export default class ProgressReporter implements Reporter {
  onTestRunStart(specifications: readonly TestSpecification[]): void {
    writeEvent({ kind: 'start', unit: 'files', total: specifications.length });
  }

  onTestCaseResult(test: TestCase): void {
    const file = relative(process.cwd(), test.module.moduleId);
    const failed = test.result().state === 'failed';
    writeEvent({ kind: 'test', name: `${file} › ${test.fullName}`, failed });
  }

  onTestModuleEnd(module: TestModule): void {
    // A file that cannot be loaded, or a hook that fails.
    if (module.errors().length > 0) {
      const name = relative(process.cwd(), module.moduleId);
      writeEvent({ kind: 'test', name, failed: true });
    }
    writeEvent({ kind: 'file' });
  }
}
