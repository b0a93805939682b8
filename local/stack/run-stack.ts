import { emitDeployEvents } from '#local/emulators/netlify/site/deploy-events.ts';
import { json, type Handler } from '#local/emulators/http/handler.ts';
import { readNetlifyConfig } from '#local/emulators/netlify/site/netlify-config.ts';
import { createPublisher, type Publisher } from '#local/emulators/netlify/site/publisher.ts';
import { stopBuilds } from '#local/emulators/netlify/site/run-build.ts';
import { fetchNotFoundPage, serveFiles } from '#local/emulators/netlify/site/static-files.ts';
import { announceReady } from './announce.ts';
import { publicEnvironment } from './environment.ts';
import { messageOf, say, warn } from '#local/shared/log.ts';
import { startBackend } from './backend.ts';
import type { Base } from './base.ts';
import { serveShop } from './serve-shop.ts';
import type { Settings } from '#local/shared/settings.ts';
import type { Shutdown } from './shutdown.ts';
import { StartError } from '#local/shared/start-error.ts';
import { timed } from '#local/shared/timings.ts';

/** Runs the embedded stack over the built site. Resolves when it is ready. Throws StartError. */
export async function runStack(settings: Settings, shutdown: Shutdown, base: Base): Promise<void> {
  const { origin } = settings;
  const { folder, secrets, supabaseUrl, router } = base;
  const publisher = createPublisher(
    folder,
    publicEnvironment({ ...settings, supabaseUrl }, secrets),
  );
  shutdown.onStop(stopBuilds);
  // Loads Astro on another core while the database comes up here.
  await publisher.prepare();
  await timed('mail, payments, database', async () => startBackend(settings, shutdown, base));

  router.add(buildHook(publisher));
  const published = timed('site', async () => publishSite(publisher));
  // A build that fails while the functions load is reported below.
  published.catch(() => undefined);
  const config = await readNetlifyConfig();
  const findFile = serveFiles(folder.dist, folder.builds, config);
  const shop = await serveShop(shutdown, {
    origin,
    base,
    config,
    findFile,
    dist: folder.dist,
    functionLog: folder.functionLog,
    reload: false,
    notFound: async (request) => fetchNotFoundPage(request, findFile),
  });
  await published;

  // From here on, a build may be requested through the hook.
  publisher.onBuildEvent(emitDeployEvents(shop.functions, origin));
  publisher.onPublished(shop.forgetBuild);
  shop.open();
  await announceReady(settings, base);
}

/** Builds the site when need be. Throws StartError when there is none to serve, old or new. */
async function publishSite(publisher: Publisher): Promise<void> {
  try {
    await publisher.publishIfChanged(() => {
      say('Building the site …');
    });
  } catch (error) {
    if (!(await publisher.hasSite()))
      throw new StartError(`The site could not be built: ${messageOf(error)}`);
    warn('The site could not be built, the one of the last build is served', error);
  }
}

/** The build hook: POST requests a build, GET returns the state of the last one. */
function buildHook(publisher: Publisher): Handler {
  return (request) => {
    if (new URL(request.url).pathname !== '/local/build-hook') return undefined;
    if (request.method === 'POST') publisher.requestPublish();
    else if (request.method !== 'GET') return undefined;
    return json(publisher.state());
  };
}
