import { randomUUID } from 'node:crypto';
import type { Context } from '@netlify/functions';
import { parseCookie, stringifySetCookie, type SetCookie } from 'cookie';

/** The location of the shop's customers; the real platform derives it from the IP address. */
const geo: Context['geo'] = {
  city: 'Kochi',
  country: { code: 'IN', name: 'India' },
  subdivision: { code: 'KL', name: 'Kerala' },
  postalCode: '682001',
  longitude: 76.27,
  latitude: 9.93,
  timezone: 'Asia/Kolkata',
};

export interface ContextOptions {
  request: Request;
  params: Readonly<Record<string, string>>;
  /** The static file at an address of the site. */
  fetchStatic: (request: Request) => Promise<Response>;
  /** Takes work that outlives the response. */
  waitUntil: (work: Promise<unknown>) => void;
}

export interface FunctionContext {
  context: Context;
  /** The response with the cookies that the function set through its context. */
  withCookies: (response: Response) => Response;
}

/** The second argument of a function, as the platform makes it. */
export function createContext({
  request,
  params,
  fetchStatic,
  waitUntil,
}: ContextOptions): FunctionContext {
  const url = new URL(request.url);
  const sent = parseCookie(request.headers.get('cookie') ?? '');
  const changed: SetCookie[] = [];
  const site = { id: 'embedded', name: 'embedded', url: url.origin };
  // `rewrite`, deprecated on the platform, is left out.
  const context: Omit<Context, 'rewrite'> = {
    account: { id: 'embedded' },
    cookies: {
      get: (name) => sent[name] ?? '',
      set(cookie: string | ContextCookie, value: unknown = '') {
        changed.push(
          typeof cookie === 'string' ? { name: cookie, value: String(value) } : toSetCookie(cookie),
        );
      },
      delete(input) {
        const options = typeof input === 'string' ? { name: input } : input;
        changed.push({ ...options, value: '', expires: new Date(0) });
      },
    },
    deploy: { context: 'dev', id: 'embedded', published: true },
    geo,
    ip: request.headers.get('x-forwarded-for') ?? '127.0.0.1',
    json: (input) => Response.json(input),
    log: (...data: unknown[]) => {
      console.log(...data);
    },
    next: async (other?: unknown) => fetchStatic(other instanceof Request ? other : request),
    params: { ...params },
    requestId: randomUUID(),
    server: { region: 'dev' },
    site,
    url,
    waitUntil,
  };
  return {
    context: context as Context,
    withCookies(response) {
      if (changed.length === 0) return response;
      const headers = new Headers(response.headers);
      for (const cookie of changed) headers.append('set-cookie', stringifySetCookie(cookie));
      return new Response(response.body, {
        status: response.status,
        statusText: response.statusText,
        headers,
      });
    },
  };
}

/** A cookie as functions give it to the platform. */
interface ContextCookie extends Omit<SetCookie, 'value' | 'expires' | 'sameSite'> {
  value: string;
  expires?: Date | number;
  sameSite?: 'Strict' | 'Lax' | 'None';
}

function toSetCookie({ expires, sameSite, ...cookie }: ContextCookie): SetCookie {
  const lower = { Strict: 'strict', Lax: 'lax', None: 'none' } as const;
  return {
    ...cookie,
    ...(expires === undefined ? {} : { expires: new Date(expires) }),
    ...(sameSite === undefined ? {} : { sameSite: lower[sameSite] }),
  };
}
