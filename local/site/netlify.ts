import { NetlifyDev } from '@netlify/dev';
import { warn } from '../stack/log.ts';
import { projectRoot } from '../stack/settings.ts';
import { startFunctions } from './functions.ts';

type ResponseType = 'edge-function' | 'function' | 'image' | 'redirect' | 'server' | 'static';
interface Answer {
  response: Response;
  type: ResponseType;
}

/** Netlify's own runtime: functions, redirects, headers, image CDN and, unless told otherwise, static files. */
export interface NetlifyRuntime {
  /** `findPage` looks for a static page where one would win over a function; the served folder is asked otherwise. */
  handle: (request: Request, findPage?: (request: Request) => Promise<Response | undefined>) => Promise<Answer | undefined>;
  /** Resolves when every function can be called without delay. */
  warm: () => Promise<void>;
  stop: () => Promise<void>;
}

export interface NetlifyOptions {
  origin: string;
  /** The folder of the built site; null leaves static files to somebody else. */
  staticDir: string | null;
  /** For bundled functions. */
  functionsDir: string;
  /** Whether functions are bundled again when their sources change. */
  reload: boolean;
}

/** Starts the runtime over `netlify.toml` and `netlify/functions`. */
export async function startNetlify({ origin, staticDir, functionsDir, reload }: NetlifyOptions): Promise<NetlifyRuntime> {
  const off = { enabled: false };
  const dev = new NetlifyDev({
    projectRoot,
    skipGitignore: true,
    serverAddress: origin,
    staticFiles: staticDir === null ? off : { directories: [staticDir] },
    headers: { enabled: staticDir !== null },
    functions: off,
    blobs: off,
    database: off,
    edgeFunctions: off,
    // The stack sets the variables itself; those of netlify.toml are for the real thing.
    environmentVariables: off,
    geolocation: off,
    aiGateway: off,
    logger: { log: () => undefined, warn: (text) => { warn(String(text)); }, error: (text) => { warn(String(text)); } },
  });
  await dev.start();
  const functions = await startFunctions(functionsDir, reload);
  const findFile = async (request: Request): Promise<Response | undefined> => {
    const found = await dev.handleAndIntrospect(request);
    if (found?.type === 'static') return found.response;
    await found?.response.body?.cancel();
    return undefined;
  };
  return {
    async handle(request, findPage = findFile) {
      const match = await functions.match(request);
      if (!match) return dev.handleAndIntrospect(request);
      if (match.preferStatic) {
        const page = await findPage(new Request(request.url, { headers: request.headers }));
        if (page) return { response: page, type: 'static' };
      }
      return { response: await match.handle(), type: 'function' };
    },
    warm: functions.bundled,
    async stop() {
      functions.stop();
      await dev.stop();
    },
  };
}
