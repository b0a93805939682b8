import { spawn } from 'node:child_process';
import { once } from 'node:events';

/*
 * Types, style and rules side by side: each is a process of its own, and each output is printed whole when it ends.
 * The exit code is 1 when one of them fails.
 */
const commands = ['types', 'lint', 'test:rules'] as const;

/** Runs one script of package.json. Returns whether it succeeded, how long it took and what it said. */
async function run(script: string): Promise<{ script: string; passed: boolean; seconds: number; output: string }> {
  const start = performance.now();
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  const seconds = Math.round((performance.now() - start) / 1000);
  return { script, passed: code === 0, seconds, output: Buffer.concat(output).toString() };
}

const results = await Promise.all(
  commands.map(async (script) => {
    const result = await run(script);
    console.log(`\n── npm run ${script} (${String(result.seconds)} s)\n${result.output}`);
    return result;
  }),
);
for (const { script, passed, seconds } of results) {
  console.log(`${passed ? 'passed' : 'FAILED'}  npm run ${script}  ${String(seconds)} s`);
}
process.exit(results.every(({ passed }) => passed) ? 0 : 1);
