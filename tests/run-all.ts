import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { watchProcessorTime } from './processor-time.ts';
import { playwrightResults, runSummary, vitestResults, type TestResult } from './run-summary.ts';

/*
 * Every check: rules, then the browser tests; types and style beside them (`check`, which reads the sources once for both), at a
 * priority that takes only the processor time which the tests leave. Each output is printed whole when it ends. The last lines
 * name the failed tests. The exit code is 1 when one of them fails.
 */
interface Result {
  script: string;
  passed: boolean;
  seconds: number;
}

const root = resolve(import.meta.dirname, '..');
const reports = mkdtempSync(join(tmpdir(), 'shop-reports-'));
process.on('exit', () => {
  rmSync(reports, { recursive: true, force: true });
});
const rulesReport = join(reports, 'rules.json');
const browserReport = join(reports, 'browser.json');

/** Runs one script of package.json, prints its output and returns how it went. */
async function run(
  script: string,
  parameters: readonly string[] = [],
  priority: number = constants.priority.PRIORITY_NORMAL,
): Promise<Result> {
  const start = performance.now();
  const child = spawn('npm', ['run', '--silent', script, '--', ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: browserReport },
  });
  if (child.pid !== undefined) setPriority(child.pid, priority);
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`\n── npm run ${script} (${String(seconds)} s)\n${Buffer.concat(output).toString()}`);
  return { script, passed: code === 0, seconds };
}

/** The tests of a report. None when the runner ended before it wrote one: its output above says why. */
function testsOf(
  file: string,
  parse: (report: unknown, root: string) => TestResult[],
): TestResult[] {
  return existsSync(file) ? parse(JSON.parse(readFileSync(file, 'utf8')), root) : [];
}

// First, so that a machine without a browser hears of it at once.
const browser = spawnSync(process.execPath, ['tests/browser/support/install-chromium.ts'], {
  cwd: root,
  stdio: 'inherit',
});
if (browser.status !== 0) process.exit(1);

const processorTime = watchProcessorTime();
const aside = run('check', [], constants.priority.PRIORITY_LOW);
const results = [
  await run('test:rules', ['--reporter=default', '--reporter=json', `--outputFile=${rulesReport}`]),
  await run('test:browser', ['--reporter=list,json']),
  await aside,
];
const spent = processorTime.stop();
console.log(
  runSummary([
    ...testsOf(rulesReport, vitestResults),
    ...testsOf(browserReport, playwrightResults),
  ]),
);
console.log();
for (const { script, passed, seconds } of results) {
  console.log(`${passed ? 'passed' : 'FAILED'}  npm run ${script}  ${String(seconds)} s`);
}
if (spent !== null) console.log(`${String(Math.round(spent))} s of processor time in all`);
process.exit(results.every(({ passed }) => passed) ? 0 : 1);
