import type { Handler } from '#local/emulators/http/handler.ts';
import { json } from '#local/emulators/http/handler.ts';
import { page, pageStyle } from '#local/emulators/http/page.ts';
import type { Settings } from '#local/shared/settings.ts';

export interface Router {
  handle: Handler;
  /** Adds a handler for one address of the stack, the shop's by default: the first one that answers wins. */
  add: (handler: Handler, address?: string) => void;
  setReady: () => void;
}

/**
 * The HTTP front of the stack. Parts are added as they start; until then, every page shows that the shop is starting. What is
 * opened under another address than the shop's, and is not there, is looked for in the shop.
 */
export function createRouter({
  origin,
  sandboxOrigin,
}: Pick<Settings, 'origin' | 'sandboxOrigin'>): Router {
  const handlers: { address: string; handler: Handler }[] = [];
  let ready = false;
  return {
    add(handler, address = origin) {
      handlers.push({ address, handler });
    },
    setReady() {
      ready = true;
    },
    async handle(request) {
      const { origin: address, pathname, search } = new URL(request.url);
      if (
        pathname.startsWith('/local/') &&
        isChange(request) &&
        !isFrom(request, [origin, sandboxOrigin])
      ) {
        return json(
          { message: 'Only the pages of this stack may change what is under /local.' },
          403,
        );
      }
      if (pathname === '/local/health') return json({ ready, pid: process.pid }, ready ? 200 : 503);
      if (pathname === '/local/style.css') return pageStyle();
      if (address === origin && /^\/local\/?$/u.test(pathname)) return homePage(sandboxOrigin);
      for (const { handler } of handlers.filter((one) => one.address === address)) {
        const answer = await handler(request);
        if (answer) return answer;
      }
      if (address !== origin && !isChange(request))
        return Response.redirect(origin + pathname + search, 307);
      if (ready) return undefined;
      return new Response('The shop is starting …', {
        status: 503,
        headers: { 'retry-after': '1', refresh: '1' },
      });
    },
  };
}

const isChange = ({ method }: Request): boolean => method !== 'GET' && method !== 'HEAD';

/** Whether a page of these addresses sends the request, or none: programs name no origin. */
function isFrom({ headers }: Request, origins: readonly string[]): boolean {
  const origin = headers.get('origin');
  return origin === null || origins.includes(origin);
}

/** /local: an index of the embedded stack's pages. */
const homePage = (sandboxOrigin: string): Response =>
  page(
    'Embedded stack',
    `<ul>
<li><a href="/">The shop</a></li>
<li><a href="/local/mailbox">Mailbox</a> (<a href="/local/mailbox.json">JSON</a>)</li>
<li><a href="${sandboxOrigin}/local/razorpay/">Razorpay sandbox</a> (<a href="${sandboxOrigin}/local/razorpay/state.json">JSON</a>)</li>
<li><a href="/local/build-hook">Last build</a></li>
</ul>`,
  );
