/*
 * A child process that builds the site once: `node build-site.ts <outDir> <cacheDir>`. Its own process, because Vite
 * holds the memory of what it loaded, and so that the shop answers the build's own requests meanwhile. Astro is loaded at once, which
 * takes a second; the build begins with the parent's message.
 */
import { once } from 'node:events';
import { enableCompileCache } from 'node:module';
import { describeError } from '#local/shared/describe-error.ts';

enableCompileCache();
const { build } = await import('astro');

const [outDir, cacheDir] = process.argv.slice(2);
if (outDir === undefined || cacheDir === undefined)
  throw new Error('Usage: build-site.ts <outDir> <cacheDir>');

// Without its parent, nobody waits for the result.
process.on('disconnect', () => process.exit(1));

await once(process, 'message');
try {
  await build({ root: process.cwd(), outDir, cacheDir, logLevel: 'warn' });
} catch (error) {
  // The parent shows what the error says, and nothing of what was printed besides.
  const failed = describeError(error);
  await new Promise((sent) => process.send?.({ failed }, sent));
  process.exit(1);
}
process.exit(0);
