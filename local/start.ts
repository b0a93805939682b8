/* `npm start`: the whole shop on one port, over the built site. */
import process from 'node:process';

/*
 * A quarter less memory with the many threads of builds and images. glibc reads these variables once, as a process begins, so
 * this one replaces itself, with the same process id. Other systems need neither, and Windows cannot replace a process.
 */
const memory = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };
if (process.platform === 'linux' && process.execve && !process.env['MALLOC_ARENA_MAX'])
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    { ...process.env, ...memory },
  );

const { launchOrExplain } = await import('./stack/launch-or-explain.ts');
await launchOrExplain(async () => (await import('./stack/run-stack.ts')).runStack);
