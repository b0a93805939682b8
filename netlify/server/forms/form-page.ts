import { shop } from '../../../src/shop.config.ts';
import { html, type Markup } from '../platform/html.ts';
import { HttpError, unavailable } from '../platform/http-error.ts';

/** One field of the refused form, as typed. */
export interface TypedField {
  name: string;
  label: string;
  type: 'text' | 'email' | 'multiline';
  value: string;
  required: boolean;
}

function control({ name, type, value, required }: TypedField): Markup {
  const needed: Markup = { markup: required ? ' required' : '' };
  // HTML drops one line break after <textarea>: this one, not the first that was typed.
  return type === 'multiline'
    ? html`<textarea id="${name}" name="${name}" rows="6"${needed}>
${value}</textarea>`
    : html`<input id="${name}" name="${name}" type="${type}" value="${value}"${needed}>`;
}

const style: Markup = {
  markup: `body{max-width:36rem;margin:3rem auto;padding:0 1rem;font:1.0625rem/1.6 Georgia,serif;color:#1c1a16;background:#fdfbf7}
label{display:block;font-weight:bold}
input,textarea{box-sizing:border-box;width:100%;padding:.6rem;font:inherit;border:1px solid #6d655a}
button{min-height:2.75rem;padding:.6rem 1.5rem;font:inherit;color:#fff;background:#1d4a3a;border:0}a{color:inherit}`,
};

/**
 * The page that answers a posted form (a browser without JavaScript) which was not taken: why, and the form again
 * with everything that was typed, so that nothing is lost.
 */
export function refusedFormPage(action: string, error: unknown, button: string, fields: readonly TypedField[]): Response {
  const refusal = error instanceof HttpError ? error : unavailable(error);
  const rows = fields.map((field) => html`<p><label for="${field.name}">${field.label}</label>${control(field)}</p>`);
  const page = html`<!doctype html>
<html lang="en-IN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>Not sent - ${shop.name}</title><style>${style}</style></head>
<body><main><h1>Not sent</h1><p role="alert">${refusal.message}</p>
<form method="post" action="${action}">${rows}<p><button>${button}</button></p></form>
<p><a href="/">Back to ${shop.name}</a></p></main></body></html>`;
  return new Response(page.markup, {
    status: refusal.status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    },
  });
}
