import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { makeMemoryFolder } from './memory-folder.ts';
import { eventsVariable, followEvents } from './progress/events.ts';
import { nextProgress, nothingYet, progressLine } from './progress/progress.ts';
import { playwrightResults, runSummary, vitestResults, type TestResult } from './run-summary.ts';

/*
 * Every check: rules, then the browser tests with types and style beside them (`check`, which reads the sources once for both), at
 * a priority that takes only the processor time which the tests leave. Progress is one line that moves in a terminal, and a line
 * every ten seconds in a log. The output of a part goes to a file, and is printed when the part fails. The last lines name the
 * failed tests. The exit code is 1 when one of them fails, or when there is no browser to run them in.
 */
interface Part {
  /** A script of package.json. */
  script: string;
  label: string;
  parameters?: readonly string[];
  priority?: number;
  /** It runs beside the others, which show the progress. */
  aside?: boolean;
}
interface Result {
  script: string;
  passed: boolean;
  seconds: number;
}

const lookMs = 500;
const logLineMs = 10_000;
const terminal = process.stdout.isTTY;

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'shop-tests-'));
const memoryFolder = makeMemoryFolder();
const outputOf = (script: string): string => join(folder, `${script.replace(':', '-')}.log`);
const rulesReport = join(folder, 'rules.json');
const browserReport = join(folder, 'browser.json');

const types: Part = {
  script: 'check',
  label: 'types and style',
  priority: constants.priority.PRIORITY_LOW,
  aside: true,
};
const rules: Part = {
  script: 'test:rules',
  label: 'rules',
  parameters: [
    ...['--reporter=default', '--reporter=json', '--reporter=./tests/progress/vitest-reporter.ts'],
    `--outputFile.json=${rulesReport}`,
  ],
};
const browserTests: Part = {
  script: 'test:browser',
  label: 'browser tests',
  parameters: ['--reporter=list,json,./tests/progress/playwright-reporter.ts'],
};

/** Prints lines that stay, in place of the line that moves. */
function print(text: string): void {
  console.log(terminal ? `\r\u001B[K${text}` : text);
}

/** Shows the progress of a part until the returned function is called. */
function showProgress(label: string, events: string): () => void {
  const start = performance.now();
  const read = followEvents(events);
  let progress = nothingYet;
  let shownAt = start;
  const look = (): void => {
    for (const event of read()) {
      progress = nextProgress(progress, event);
      if (event.kind === 'test' && event.failed) print(`failed: ${event.name}`);
    }
    const now = performance.now();
    const line = progressLine(label, progress, (now - start) / 1000);
    if (terminal) process.stdout.write(`\r\u001B[K${line.slice(0, process.stdout.columns - 1)}`);
    else if (now - shownAt >= logLineMs) {
      shownAt = now;
      print(line);
    }
  };
  const timer = setInterval(look, lookMs);
  return () => {
    clearInterval(timer);
    look();
    print(progressLine(label, progress, (performance.now() - start) / 1000));
  };
}

/** Runs one part and returns how it went. */
async function run({ script, label, parameters = [], priority = 0, aside }: Part): Promise<Result> {
  const start = performance.now();
  const events = join(folder, `${script.replace(':', '-')}.events`);
  const output = createWriteStream(outputOf(script));
  const child = spawn('npm', ['run', '--silent', script, '--', ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    env: {
      ...process.env,
      ...(memoryFolder === null ? {} : { TMPDIR: memoryFolder }),
      PLAYWRIGHT_JSON_OUTPUT_FILE: browserReport,
      [eventsVariable]: events,
    },
  });
  if (child.pid !== undefined) setPriority(child.pid, priority);
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  const stop = aside === true ? () => undefined : showProgress(label, events);
  const [code] = (await once(child, 'close')) as [number | null];
  output.end();
  await finished(output);
  stop();
  const seconds = Math.round((performance.now() - start) / 1000);
  if (code !== 0)
    print(
      `\n── npm run ${script} failed (${String(seconds)} s)\n${readFileSync(outputOf(script), 'utf8')}`,
    );
  return { script, passed: code === 0, seconds };
}

/** The tests of a report. None when the runner ended before it wrote one: its output above says why. */
function testsOf(
  file: string,
  parse: (report: unknown, root: string) => TestResult[],
): TestResult[] {
  return existsSync(file) ? parse(JSON.parse(readFileSync(file, 'utf8')), root) : [];
}

// This runs first, so that a machine without a browser reports it at once.
const browser = spawnSync(process.execPath, ['tests/browser/support/install-chromium.ts'], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'pipe'],
  encoding: 'utf8',
});
const withoutBrowser = browser.status === 0 ? null : browser.stderr.trim();
const notRun = `browser tests were not run: ${withoutBrowser ?? ''}`;
const parts = withoutBrowser === null ? [rules, browserTests] : [rules];

if (withoutBrowser !== null) console.log(notRun);
const all = [...parts, types];
console.log(`Runs ${all.map(({ label }) => label).join(', ')}.`);
console.log(`Their output: ${all.map(({ script }) => outputOf(script)).join(' ')}`);
const results: Result[] = [];
let aside: Promise<Result> | null = null;
for (const part of parts) {
  // This runs beside the last part, so that the rules, which find most faults, end sooner.
  if (part === parts.at(-1)) aside = run(types);
  results.push(await run(part));
}
if (terminal) process.stdout.write(`${types.label}: running`);
if (aside !== null) results.push(await aside);
print('');
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
if (withoutBrowser !== null) console.log(notRun);
process.exit(withoutBrowser === null && results.every(({ passed }) => passed) ? 0 : 1);
