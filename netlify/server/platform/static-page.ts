import { shop } from '../../../src/shop.config.ts';
import { siteEnv } from './env.ts';
import { html } from './html.ts';

/** What netlify.toml's headers say for static pages; they do not reach the responses of functions. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), usb=()',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cache-control': 'no-store',
} as const;

/** An HTML response with the security headers of every page. */
export function htmlPage(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, { status, headers: { ...pageHeaders, ...headers } });
}

/** A page made without the built site, for when that cannot be had: one heading, one sentence, one link. */
export function plainPage(
  status: number,
  title: string,
  sentence: string,
  link: { path: string; text: string },
): Response {
  const { markup } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title} – ${shop.name}</title>
      </head>
      <body
        style="margin:0;padding:12vh 24px;background:#f6f1e7;color:#2b2118;font:18px/1.6 Georgia,serif;text-align:center"
      >
        <h1 style="font-weight:normal">${title}</h1>
        <p>${sentence}</p>
        <p><a style="color:#7a5b1e" href="${link.path}">${link.text}</a></p>
      </body>
    </html>`;
  const retry: Record<string, string> = status === 503 ? { 'retry-after': '30' } : {};
  return htmlPage(status, markup, {
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    ...retry,
  });
}

/** Where the same deploy's static pages are: previews live beside the site's own address. */
export function staticOrigin(request: Request): string {
  const { origin, hostname } = new URL(request.url);
  return hostname.endsWith('.netlify.app') ? origin : new URL(siteEnv().URL).origin;
}

/** The text of a pre-rendered page, or null when it cannot be had within 5 seconds. */
export async function fetchStaticPage(request: Request, path: string): Promise<string | null> {
  try {
    const answer = await fetch(new URL(path, staticOrigin(request)), { signal: AbortSignal.timeout(5_000) });
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}
