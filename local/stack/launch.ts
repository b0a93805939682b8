import { warn } from './log.ts';
import { checkNodeVersion } from './node-version.ts';
import { readSettings, type Settings } from './settings.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';
import { StartError } from './start-error.ts';

type Run = (settings: Settings, shutdown: Shutdown) => Promise<void>;

/**
 * Starts a stack and keeps it up: trouble of one request or function is reported, never fatal. What stands in the way
 * of a start is told in one sentence, with exit code 1. `load` brings the heavy modules, after the first checks.
 */
export async function launch(load: () => Promise<Run>): Promise<void> {
  const shutdown = createShutdown();
  try {
    checkNodeVersion();
    const settings = readSettings();
    // One thread a picture: encoders leave a core to whoever waits for a page. Read when the encoder is loaded.
    process.env['VIPS_CONCURRENCY'] ??= '1';
    const run = await load();
    process.on('uncaughtException', (error) => { warn('Something failed, the stack goes on', error); });
    process.on('unhandledRejection', (reason) => { warn('Something failed, the stack goes on', reason); });
    await run(settings, shutdown);
  } catch (error) {
    if (shutdown.signal.aborted) return;
    warn(error instanceof StartError ? error.message : `The stack cannot start: ${String(error instanceof Error ? error.stack : error)}`);
    await shutdown.stop();
    process.exit(1);
  }
}
