import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';

/*
 * Every check: rules, then the browser tests; types and style beside them (`check`, which reads the sources once for both), at a
 * priority that takes only the processor time which the tests leave. Each output is printed whole when it ends. The exit code
 * is 1 when one of them fails.
 */
interface Result {
  script: string;
  passed: boolean;
  seconds: number;
}

/** Runs one script of package.json, prints what it said and how it went. */
async function run(
  script: string,
  priority: number = constants.priority.PRIORITY_NORMAL,
): Promise<Result> {
  const start = performance.now();
  const child = spawn('npm', ['run', '--silent', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
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

const aside = run('check', constants.priority.PRIORITY_LOW);
const results = [await run('test:rules'), await run('test:browser'), await aside];
for (const { script, passed, seconds } of results) {
  console.log(`${passed ? 'passed' : 'FAILED'}  npm run ${script}  ${String(seconds)} s`);
}
process.exit(results.every(({ passed }) => passed) ? 0 : 1);
