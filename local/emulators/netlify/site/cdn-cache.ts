import * as z from 'zod';
import type { Handler } from '#local/emulators/http/handler.ts';

const purgeSchema = z.object({ cache_tags: z.array(z.string()).optional() });
const purgePath = '/local/cdn/api/v1/purge';

interface Entry {
  response: Response;
  tags: readonly string[];
  /** Milliseconds since 1970. */
  freshUntil: number;
}

export interface CdnCache {
  handle: Handler;
  /** Drops everything cached: a new build is served. */
  purgeAll: () => void;
}

/**
 * The part of Netlify's CDN that caches responses of functions: those to GET that carry `netlify-cache-tag`, as long as
 * their `s-maxage` says, until a function purges their tag (`purgeCache`) or a new build is served. Untagged responses
 * are not cached: nothing could purge them here.
 */
export function createCdnCache(site: Handler): CdnCache {
  const entries = new Map<string, Entry>();
  // Do not cache a response that was requested before a purge.
  let generation = 0;

  function purge(tags?: readonly string[]): void {
    generation += 1;
    for (const [url, entry] of entries) {
      if (!tags || entry.tags.some((tag) => tags.includes(tag))) entries.delete(url);
    }
  }

  return {
    purgeAll: () => {
      purge();
    },
    async handle(request) {
      const { pathname } = new URL(request.url);
      if (request.method === 'POST' && pathname === purgePath) {
        purge(purgeSchema.safeParse(await request.json().catch(() => null)).data?.cache_tags);
        return new Response(null, { status: 202 });
      }
      if (request.method !== 'GET') return site(request);
      const cached = entries.get(request.url);
      if (cached && Date.now() < cached.freshUntil) return cached.response.clone();
      const generationThen = generation;
      const response = await site(request);
      const tags =
        response?.headers
          .get('netlify-cache-tag')
          ?.split(',')
          .map((tag) => tag.trim()) ?? [];
      const seconds = Number(
        /\bs-maxage=(\d+)/u.exec(response?.headers.get('netlify-cdn-cache-control') ?? '')?.[1] ??
          0,
      );
      if (response?.ok && tags.length > 0 && seconds > 0 && generationThen === generation) {
        entries.set(request.url, {
          response: response.clone(),
          tags,
          freshUntil: Date.now() + seconds * 1000,
        });
      }
      return response;
    },
  };
}
