import { emitDeployEvents } from '#local/emulators/netlify/site/deploy-events.ts';
import { json } from '#local/emulators/http/handler.ts';
import { startDevServer } from '#local/emulators/netlify/site/dev-server.ts';
import { readNetlifyConfig } from '#local/emulators/netlify/site/netlify-config.ts';
import { announceReady } from './announce.ts';
import { publicEnvironment } from './environment.ts';
import { startBackend } from './backend.ts';
import type { Base } from './base.ts';
import { serveShop } from './serve-shop.ts';
import type { Settings } from '#local/shared/settings.ts';
import type { Shutdown } from './shutdown.ts';
import { timed } from '#local/shared/timings.ts';

/** Runs the embedded stack over Astro's dev server: pages, islands and functions reload on change. Throws StartError. */
export async function runDev(settings: Settings, shutdown: Shutdown, base: Base): Promise<void> {
  const { origin } = settings;
  const { secrets, supabaseUrl, router, server } = base;
  await timed('mail, payments, database', async () => startBackend(settings, shutdown, base));
  Object.assign(process.env, publicEnvironment({ ...settings, supabaseUrl }, secrets), {
    ASTRO_TELEMETRY_DISABLED: '1',
    NODE_ENV: 'development',
  });

  const pages = await timed('dev server', startDevServer);
  shutdown.onStop(async () => pages.stop());
  server.onUpgrade(pages.upgrade);
  const shop = await serveShop(shutdown, {
    origin,
    base,
    config: await readNetlifyConfig(),
    dist: null,
    functionLog: null,
    reload: true,
    async findFile(request) {
      const page = await pages.fetch(request);
      return page.status === 404 ? null : page;
    },
    notFound: pages.fetch,
  });

  // Nothing is built here: pages show each edit by themselves.
  const published = {
    state: 'published',
    finishedAt: new Date().toISOString(),
    message: 'The dev server needs no build.',
  };
  const emit = emitDeployEvents(shop.functions, origin);
  router.add((request) => {
    if (new URL(request.url).pathname !== '/local/build-hook') return undefined;
    if (request.method === 'POST')
      emit({ build: `dev-${String(Date.now())}`, phase: 'succeeded', error: null });
    return json(published);
  });
  shop.open();
  await announceReady(settings, base);
}
