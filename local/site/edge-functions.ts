import withdrawnPiece from '../../netlify/edge-functions/withdrawn-piece.ts';
import type { Handler } from '../http/handler.ts';

const listPath = '/api/catalogue/withdrawn';
const purgePath = '/local/cdn/api/v1/purge';
const freshMs = 30_000;

export interface Edge {
  handle: Handler;
  /** A new build is served: nothing that was kept counts any more. */
  forget: () => void;
}

/**
 * What Netlify's CDN does ahead of the site: the edge function of product pages, keeping the one answer that it asks
 * for, and forgetting it when a function says so (`purgeCache`).
 */
export function openEdge(site: Handler): Edge {
  let kept: { text: string; until: number } | null = null;
  let edition = 0;
  const forget = (): void => {
    kept = null;
    edition += 1;
  };

  async function list(request: Request): Promise<Response | undefined> {
    if (kept && Date.now() < kept.until) return Response.json(JSON.parse(kept.text));
    const asked = edition;
    const answer = await site(request);
    if (answer?.ok) {
      const text = await answer.clone().text();
      // A change in between: the answer may be from before it.
      if (asked === edition) kept = { text, until: Date.now() + freshMs };
    }
    return answer;
  }

  return {
    forget,
    async handle(request) {
      const { pathname } = new URL(request.url);
      if (request.method === 'POST' && pathname === purgePath) {
        forget();
        return new Response(null, { status: 202 });
      }
      const reads = request.method === 'GET' || request.method === 'HEAD';
      if (reads && pathname === listPath) return list(request);
      if (!reads || !pathname.startsWith('/product/')) return site(request);
      return (await withdrawnPiece(request).catch(() => undefined)) ?? site(request);
    },
  };
}
