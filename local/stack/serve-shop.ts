import { bucketPath } from '#domain/image.ts';
import {
  loadEdgeFunctions,
  withEdgeFunctions,
} from '#local/emulators/netlify/functions/edge-functions.ts';
import { createFunctions, type Functions } from '#local/emulators/netlify/functions/functions.ts';
import { reloadOnChange } from '#local/emulators/netlify/functions/reload.ts';
import { startScheduler } from '#local/emulators/netlify/functions/scheduler.ts';
import { createCdnCache } from '#local/emulators/netlify/site/cdn-cache.ts';
import { formRoutes } from '#local/emulators/netlify/site/forms.ts';
import { createImageCdn } from '#local/emulators/netlify/site/images.ts';
import type { NetlifyConfig } from '#local/emulators/netlify/site/netlify-config.ts';
import { serveSite } from '#local/emulators/netlify/site/serve-site.ts';
import type { FindFile } from '#local/emulators/netlify/site/static-files.ts';
import { warn } from '#local/shared/log.ts';
import type { Base } from './base.ts';
import type { Shutdown } from './shutdown.ts';
import { timed } from '#local/shared/timings.ts';

export interface ShopParts {
  origin: string;
  base: Base;
  config: NetlifyConfig;
  findFile: FindFile;
  notFound: (request: Request) => Promise<Response>;
  /** The folder of built pages; null while a dev server makes them. */
  dist: string | null;
  /** Where functions log to; null is the terminal. */
  functionLog: string | null;
  /** Whether changed functions are loaded anew. */
  reload: boolean;
}

export interface Shop {
  functions: Functions;
  /** Adds everything that Netlify serves to the stack's router. */
  open: () => void;
  /** Drops what was cached of the previous build. */
  forgetBuild: () => void;
}

/** Everything that Netlify does for the site: functions, edge functions, scheduler, image CDN, forms, static files. */
export async function serveShop(shutdown: Shutdown, parts: ShopParts): Promise<Shop> {
  const {
    origin,
    base: { folder, router, supabaseUrl },
    config,
    findFile,
    notFound,
  } = parts;
  const fetchStatic = async (request: Request): Promise<Response> =>
    (await findFile(request)) ?? notFound(request);
  const functions = await timed('functions', async () =>
    createFunctions({ fetchStatic, logFile: parts.functionLog }),
  );
  shutdown.onStop(functions.settled, 'first');
  shutdown.onStop(functions.stop, 'last');
  let edgeFunctions = await loadEdgeFunctions();
  if (parts.reload) {
    const reload = async (): Promise<void> => {
      await functions.reload();
      edgeFunctions = await loadEdgeFunctions();
    };
    shutdown.onStop(
      reloadOnChange(() => {
        reload().catch((error: unknown) => {
          warn('The functions stay as they were before the last change', error);
        });
      }),
    );
  }

  const fetchSource = async (url: URL): Promise<Response> =>
    url.origin === origin
      ? ((await router.handle(new Request(url))) ?? new Response(null, { status: 404 }))
      : fetch(url);
  const images = createImageCdn({
    dir: folder.images,
    origin,
    bucket: new URL(bucketPath, supabaseUrl).href,
    fetchSource,
  });
  const cache = createCdnCache(serveSite({ functions, config, findFile, notFound }));
  return {
    functions,
    open() {
      const scheduler = startScheduler(functions, origin);
      shutdown.onStop(scheduler.stop);
      router.add(scheduler.handle);
      router.add(images.handle);
      router.add(formRoutes(functions, origin, () => parts.dist));
      router.add(withEdgeFunctions(() => edgeFunctions, cache.handle));
    },
    forgetBuild() {
      cache.purgeAll();
      images.forgetSiteFiles();
    },
  };
}
