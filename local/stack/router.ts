import type { Handler } from '../http/handler.ts';
import { json } from '../http/handler.ts';
import { pageStyle } from '../http/page.ts';
import { homePage } from './home-page.ts';

export interface Router {
  handle: Handler;
  /** Adds a handler: the first one that answers wins. */
  add: (handler: Handler) => void;
  setReady: () => void;
}

/** The one front of the stack. Parts are added as they come up; until then, pages say that the shop is starting. */
export function createRouter(): Router {
  const handlers: Handler[] = [];
  let ready = false;
  return {
    add(handler) {
      handlers.push(handler);
    },
    setReady() {
      ready = true;
    },
    async handle(request) {
      const { pathname } = new URL(request.url);
      if (pathname === '/local/health') return json({ ready, pid: process.pid }, ready ? 200 : 503);
      if (pathname === '/local/style.css') return pageStyle();
      if (pathname === '/local' || pathname === '/local/') return homePage();
      for (const handler of handlers) {
        const answer = await handler(request);
        if (answer) return answer;
      }
      if (ready) return undefined;
      return new Response('The shop is starting …', { status: 503, headers: { 'retry-after': '1', refresh: '1' } });
    },
  };
}
