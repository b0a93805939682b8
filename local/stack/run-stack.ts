import { demoShopper } from '../demo/shopper.ts';
import { serveBuiltSite } from '../site/built-site.ts';
import { tellFunctions } from '../site/deploy-events.ts';
import { openEdge } from '../site/edge-functions.ts';
import { formRoutes } from '../site/forms.ts';
import { openImageCdn } from '../site/images.ts';
import { startNetlify } from '../site/netlify.ts';
import { openPublisher } from '../site/publisher.ts';
import { stopBuilds } from '../site/run-build.ts';
import { warmImages } from '../site/warm-images.ts';
import { announce } from './announce.ts';
import { buildHook } from './build-hook.ts';
import { publicEnvironment } from './environment.ts';
import { claimGround, layFoundation } from './foundation.ts';
import { messageOf, warn } from './log.ts';
import { writeRunning } from './running.ts';
import type { Settings } from './settings.ts';
import type { Shutdown } from './shutdown.ts';
import { StartError } from './start-error.ts';
import { createSweeper } from './sweeper.ts';

/** Runs the embedded stack over the built site. Resolves when it is ready. Throws StartError. */
export async function runStack(settings: Settings, shutdown: Shutdown): Promise<void> {
  const began = performance.now();
  const { origin } = settings;
  const ground = await claimGround(settings, shutdown);
  const { folder, secrets, router } = ground;
  // Begins to bundle functions, if need be, while the database comes up.
  const netlify = await startNetlify({ origin, staticDir: folder.dist, functionsDir: folder.functions, reload: false });
  shutdown.onStop(async () => netlify.stop());
  await layFoundation(settings, shutdown, ground);

  const images = openImageCdn(folder.images, netlify);
  const publisher = await openPublisher(folder, publicEnvironment(origin, secrets));
  shutdown.onStop(stopBuilds);
  const sweeper = createSweeper(netlify, origin);
  shutdown.onStop(() => { sweeper.stop(); });

  router.add(buildHook(publisher));
  router.add(sweeper.handle);
  await publisher.publishIfChanged().catch(async (error: unknown) => {
    if (!(await publisher.hasSite())) throw new StartError(`The site could not be built: ${messageOf(error)}`);
    warn('The site could not be built, the one of the last build is served', error);
  });

  await netlify.warm();
  // From here on somebody may ask for a build and wait for its news.
  publisher.onNews(tellFunctions(netlify, origin));
  router.add(images.handle);
  router.add(formRoutes(netlify, origin, () => folder.dist));
  const edge = openEdge(serveBuiltSite(netlify, folder.builds));
  router.add(edge.handle);
  router.setReady();
  sweeper.start();
  await writeRunning(folder, { url: origin, pid: process.pid, adminPassword: secrets.adminPassword, shopper: demoShopper });
  announce(settings, secrets, (performance.now() - began) / 1000);

  const warm = (): void => {
    warmImages(folder.dist, origin, images, shutdown.signal).catch((error: unknown) => { warn('Pictures', error); });
  };
  publisher.onPublished(() => {
    edge.forget();
    images.forgetSiteFiles();
    warm();
  });
  warm();
}
