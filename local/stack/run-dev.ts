import { demoShopper } from '../demo/shopper.ts';
import { json } from '../http/handler.ts';
import { tellFunctions } from '../site/deploy-events.ts';
import { startDevServer } from '../site/dev-server.ts';
import { serveDevSite } from '../site/dev-site.ts';
import { formRoutes } from '../site/forms.ts';
import { openImageCdn } from '../site/images.ts';
import { startNetlify } from '../site/netlify.ts';
import { announce } from './announce.ts';
import { publicEnvironment } from './environment.ts';
import { claimGround, layFoundation } from './foundation.ts';
import { writeRunning } from './running.ts';
import type { Settings } from './settings.ts';
import type { Shutdown } from './shutdown.ts';
import { createSweeper } from './sweeper.ts';

/** Runs the embedded stack over Astro's dev server: pages, islands and functions reload on change. Throws StartError. */
export async function runDev(settings: Settings, shutdown: Shutdown): Promise<void> {
  const began = performance.now();
  const { origin } = settings;
  const ground = await claimGround(settings, shutdown);
  const { folder, secrets, router, server } = ground;
  const netlify = await startNetlify({ origin, staticDir: null, functionsDir: folder.functions, reload: true });
  shutdown.onStop(async () => netlify.stop());
  await layFoundation(settings, shutdown, ground);
  Object.assign(process.env, publicEnvironment(origin, secrets), {
    ASTRO_TELEMETRY_DISABLED: '1',
    NODE_ENV: 'development',
  });

  const sweeper = createSweeper(netlify, origin);
  shutdown.onStop(() => { sweeper.stop(); });
  const pages = await startDevServer();
  shutdown.onStop(async () => pages.stop());
  server.onUpgrade(pages.upgrade);

  await netlify.warm();
  // Nothing is built here: pages show each edit by themselves.
  const published = { state: 'published', finishedAt: new Date().toISOString(), message: 'The dev server needs no build.' };
  const tell = tellFunctions(netlify, origin);
  router.add((request) => {
    if (new URL(request.url).pathname !== '/local/build-hook') return undefined;
    if (request.method === 'POST') tell({ deploy: `dev-${String(Date.now())}`, event: 'deploy_succeeded', error: null });
    return json(published);
  });
  router.add(sweeper.handle);
  router.add(openImageCdn(folder.images, netlify).handle);
  router.add(formRoutes(netlify, origin, () => null));
  router.add(serveDevSite(netlify, pages));
  router.setReady();
  sweeper.start();
  await writeRunning(folder, { url: origin, pid: process.pid, adminPassword: secrets.adminPassword, shopper: demoShopper });
  announce(settings, secrets, (performance.now() - began) / 1000);
}
