import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { writePlaces } from '#integrations/list-features.ts';
import { describeError } from '#local/shared/describe-error.ts';
import { createBase, type Base } from './base.ts';
import { messageOf, warn } from '#local/shared/log.ts';
import { isAlive } from '#local/data-folder/running.ts';
import { projectRoot, readSettings, type Settings } from '#local/shared/settings.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';
import { StartError } from '#local/shared/start-error.ts';
import { timed } from '#local/shared/timings.ts';

type Run = (settings: Settings, shutdown: Shutdown, base: Base) => Promise<void>;

/**
 * Starts a stack. An error of one request or function is reported and never ends it. What stands in the way
 * of a start is printed as one sentence, with exit code 1. `load` brings the heavy modules, once port and data folder are ours.
 */
export async function launch(load: () => Promise<Run>): Promise<void> {
  const shutdown = createShutdown();
  try {
    checkNodeVersion();
    // It is called before a function is imported, because a feature's folder may have come or gone.
    writePlaces(projectRoot);
    // Caches compiled modules between starts, which saves a second.
    enableCompileCache();
    const settings = readSettings();
    // One thread an image: encoders leave a core to whoever waits for a page. Read when the encoder is loaded.
    process.env['VIPS_CONCURRENCY'] ??= '1';
    const base = await timed('port, data folder', async () => createBase(settings, shutdown));
    const warning = await timed('settings', checkSettings);
    const run = await timed('modules', load);
    for (const stream of [process.stdout, process.stderr])
      // Every line fails without a reader, and so does the line about that failure, without end.
      stream.on('error', () => void shutdown.stop().finally(() => process.exit(0)));
    process.on('uncaughtException', (error) => {
      warn('Something failed, the stack goes on', error);
    });
    process.on('unhandledRejection', (reason) => {
      warn('Something failed, the stack goes on', reason);
    });
    stopWithParent(shutdown);
    await run(settings, shutdown, base);
    if (warning !== null) warn(warning);
  } catch (error) {
    if (shutdown.signal.aborted) return;
    warn(explain(error));
    await shutdown.stop();
    process.exit(1);
  }
}

/** Before the database reads the settings, and the build. Throws StartError with a sentence for each fault. Returns what is to be written yet. */
async function checkSettings(): Promise<string | null> {
  const { checkShop } = await import('#integrations/check-shop/check-shop.ts');
  const { shopFolder } = await import('#integrations/check-shop/shop-folder.ts');
  const { placeholderWarning } = await import('#integrations/check-shop/placeholders.ts');
  const folder = join(projectRoot, 'src/shop');
  try {
    checkShop(folder, shopFolder);
  } catch (error) {
    throw new StartError(messageOf(error));
  }
  return placeholderWarning(folder, shopFolder.shop);
}

function explain(error: unknown): string {
  if (error instanceof StartError && !isDiskFull(error.message)) return error.message;
  // The calls of a syntax error are those of Node's loader.
  const text =
    error instanceof Error && !(error instanceof SyntaxError)
      ? String(error.stack)
      : describeError(error);
  return isDiskFull(text)
    ? 'The disk is full: free some space, or set SHOP_DATA_DIR to a folder on another one.'
    : `The stack cannot start: ${text}`;
}

/** Whether a text is the message of Node (ENOSPC) or PostgreSQL for a full disk. */
const isDiskFull = (text: string): boolean => /ENOSPC|no space left on device/iu.test(text);

const parentCheckMs = 1_000;

/**
 * Ends the stack soon after its parent is gone, however that one ended: the process of SHOP_PARENT_PID, so that tests leave
 * none behind, or the one that npm started. npm passes a signal to the shell of its script, and some shells end without it.
 */
function stopWithParent(shutdown: Shutdown): void {
  const named = Number(process.env['SHOP_PARENT_PID']);
  const isNamed = Number.isSafeInteger(named) && named > 0;
  if (!isNamed && !['start', 'dev'].includes(process.env['npm_lifecycle_event'] ?? '')) return;
  const parent = isNamed ? named : process.ppid;
  const timer = setInterval(() => {
    if (isAlive(parent) && (isNamed || process.ppid === parent)) return;
    clearInterval(timer);
    void shutdown.stop().finally(() => process.exit(0));
  }, parentCheckMs);
  timer.unref();
}

const minimumNode = [24, 0] as const;

/** Throws StartError on a Node too old for Astro, Vite and TypeScript without a build step. */
function checkNodeVersion(version = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > minimumNode[0] || (major === minimumNode[0] && minor >= minimumNode[1])) return;
  throw new StartError(
    `Node ${minimumNode.join('.')} or newer is needed and this is ${version}: run \`npm start\`, which picks the right one.`,
  );
}
