import { watch } from 'node:fs';
import { join } from 'node:path';
import { FunctionsHandler } from '@netlify/functions-dev';
import { warn } from '../stack/log.ts';
import { projectRoot } from '../stack/settings.ts';
import { readableBody } from './function-body.ts';
import { openFunctionBundles, type Bundle } from './function-bundles.ts';
import { inTurns, withinTime } from './turns.ts';

/** A function that answers a request. */
export interface FunctionMatch {
  /** Static files at the same address win. */
  preferStatic: boolean;
  handle: () => Promise<Response>;
}

export interface Functions {
  match: (request: Request) => Promise<FunctionMatch | undefined>;
  /** Resolves when every function is bundled, or has failed to be. */
  bundled: () => Promise<void>;
  stop: () => void;
}

/** What the runtime keeps of a function, as far as it is set here. */
interface Registered {
  name: string;
  mainFile: string;
  routes: unknown[];
  excludedRoutes: unknown[];
  schedule: string | undefined;
  buildQueue: Promise<void> | undefined;
  buildData: Bundle | undefined;
  buildError: Error | null;
}
interface Registry {
  functions: ReadonlyMap<string, Registered>;
  scan: (folders: string[]) => Promise<void>;
}

type HandlerOptions = ConstructorParameters<typeof FunctionsHandler>[0];

/** Where the shop's buyers are; the real platform tells it from the address of the request. */
const geolocation = {
  city: 'Kochi',
  country: { code: 'IN', name: 'India' },
  subdivision: { code: 'KL', name: 'Kerala' },
  longitude: 76.27,
  latitude: 9.93,
  timezone: 'Asia/Kolkata',
};

const folder = join(projectRoot, 'netlify/functions');
const watched = ['netlify', 'src/domain'];
const settleMs = 150;
/** Each call has a worker of its own, about 50 MB. */
const callsAtOnce = 16;

/**
 * Netlify's runtime for functions: bundled by its bundler, each call in a worker of its own. It is used directly, not
 * through `@netlify/dev`, and given bundles made before: by itself it bundles again for every request, a second of
 * work that no deployed function does. With `reload`, changed functions are bundled again.
 */
export async function startFunctions(bundlesDir: string, reload: boolean): Promise<Functions> {
  const bundles = await openFunctionBundles(bundlesDir);
  const handler = new FunctionsHandler({
    // Only asked for its present value, and for nothing that this project sets.
    config: { get: () => ({}) } as unknown as HandlerOptions['config'],
    destPath: bundlesDir,
    geolocation,
    projectRoot,
    settings: {},
    userFunctionsPath: folder,
  });
  // The first question waits for the functions to be found.
  await handler.match(new Request('http://localhost/'), '');
  const { registry } = handler as unknown as { registry: Registry };

  function load(one: Registered): void {
    one.buildQueue = bundles.get(one.name, one.mainFile).then(
      (bundle) => {
        const { routes, excludedRoutes, schedule } = bundle;
        Object.assign(one, { buildData: bundle, buildError: null, routes, excludedRoutes, schedule });
      },
      (error: unknown) => {
        one.buildError = error instanceof Error ? error : new Error(String(error));
        warn(`The function ${one.name} cannot run`, error);
      },
    );
  }
  const loadAll = (): void => { for (const one of registry.functions.values()) load(one); };
  loadAll();
  const inTurn = inTurns(callsAtOnce);
  const stopWatching = reload ? watchSources(() => void registry.scan([folder]).then(loadAll)) : () => undefined;

  return {
    async match(request) {
      // The empty text is where to bundle for this one request: nowhere.
      const match = await handler.match(request, '');
      if (!match) return undefined;
      return {
        preferStatic: match.preferStatic,
        handle: async () => inTurn(async () => withinTime(match.handle(await readableBody(request)))),
      };
    },
    async bundled() {
      await Promise.all([...registry.functions.values()].map(async ({ buildQueue }) => buildQueue));
    },
    stop() {
      stopWatching();
      bundles.stop();
    },
  };
}

/** Calls back soon after a source of functions changed. Unchanged functions keep their bundles. */
function watchSources(changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watchers = watched.map((path) =>
    watch(join(projectRoot, path), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(changed, settleMs);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
