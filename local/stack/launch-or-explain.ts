import { describeError } from '#local/shared/describe-error.ts';
import { warn } from '#local/shared/log.ts';
import type { launch } from './launch.ts';

/**
 * Starts a stack, see `launch`. It is imported here, because a settings file of `src/shop` that cannot be read, such as one without a
 * comma, already stops the import: the terminal then shows the file, the line and what is wrong with it.
 */
export async function launchOrExplain(load: Parameters<typeof launch>[0]): Promise<void> {
  try {
    const launcher = await import('./launch.ts');
    await launcher.launch(load);
  } catch (error) {
    warn(describeError(error));
    process.exit(1);
  }
}
