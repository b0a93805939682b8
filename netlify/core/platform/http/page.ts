import { createHash } from 'node:crypto';
import { shop } from '#settings/shop.ts';
import { theme } from '#settings/theme.ts';
import tokens from '../../../../tailwind.config.mjs';
import { html, type Markup } from './html.ts';
import { securityHeaders } from './http.ts';

/** The shop's colours for pages of functions and mails, which do not load its style sheets. */
export const { colors } = tokens.theme;

const { display, text } = theme.fonts;
/** The families of titles and of text, as CSS. */
export const fontFamilies = {
  display: `"${display.family}",${display.fallback}`,
  text: `"${text.family}",${text.fallback}`,
};

/** The headers of netlify.toml for pages, which do not apply to the responses of functions. */
const pageHeaders = {
  ...securityHeaders,
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), usb=()',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cache-control': 'no-store',
} as const;

type Headers = Readonly<Record<string, string>>;

/** An HTML response with the security headers of every page. */
export function htmlPage(status: number, body: string, headers: Headers = {}): Response {
  return new Response(body, { status, headers: { ...pageHeaders, ...headers } });
}

/** The HTML document around pages of functions and mails. */
export const htmlDocument = (title: string, body: Markup, head: Markup = html``): Markup =>
  html`<!doctype html>
    <html lang="en-IN">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html>`;

/** A page that a function makes without the built site. */
export interface ServerPage {
  status?: number;
  title: string;
  /** CSS of its own, after that of every such page. */
  style?: string;
  script?: string;
  /** Whether it has a form, which is sent to the shop. */
  form?: boolean;
  headers?: Headers;
  body: Markup;
}

const baseStyle = `@font-face{font-family:"${text.family}";src:url(${text.file});font-weight:400 600}
@font-face{font-family:"${display.family}";src:url(${display.file})}
*{box-sizing:border-box}
body{margin:0;background:${colors.mist};color:${colors.ink[900]};font:1.0625rem/1.6 ${fontFamilies.text}}
main{max-width:36rem;margin:0 auto;padding:3rem 1rem}
h1{font-family:${fontFamilies.display};font-weight:normal;line-height:1.25}a{color:${colors.accent[700]}}
button{min-height:2.75rem;padding:.6rem 1.5rem;border:0;background:${colors.brand[700]};color:#fff;font:inherit;cursor:pointer}
:focus-visible{outline:3px solid ${colors.ink[900]};outline-offset:2px}
`;

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Renders a page of a function. It loads the shop's fonts alone, and its policy allows its style and script by
 * their hashes.
 */
export function serverPage({
  status = 200,
  title,
  style = '',
  script,
  form = false,
  headers = {},
  body,
}: ServerPage): Response {
  const css = baseStyle + style;
  const policy = [
    "default-src 'none'",
    "font-src 'self'",
    `style-src ${hashOf(css)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    "base-uri 'none'",
    `form-action ${form ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
  // An html`…` template cannot hold it: the formatter would add spaces, and the hashes are of the exact text.
  const styleElement: Markup = { markup: `<style>${css}</style>` };
  const scriptElement: Markup = {
    markup: script === undefined ? '' : `<script>${script}</script>`,
  };
  const page = htmlDocument(
    title,
    html`<main>${body}</main>
      ${scriptElement}`,
    styleElement,
  );
  return htmlPage(status, page.markup, { 'content-security-policy': policy, ...headers });
}

/** One heading, one sentence, one link. */
export function plainPage(
  status: number,
  title: string,
  sentence: string,
  link: { path: string; text: string },
): Response {
  return serverPage({
    status,
    title: `${title} – ${shop.name}`,
    style: 'main{padding-top:12vh;text-align:center}',
    headers: status === 503 ? { 'retry-after': '30' } : {},
    body: html`<h1>${title}</h1>
      <p>${sentence}</p>
      <p><a href="${link.path}">${link.text}</a></p>`,
  });
}
