import { shop } from '../../../src/shop.config.ts';
import { html, type Markup } from '../platform/html.ts';
import { HttpError, unavailable } from '../platform/http-error.ts';
import { colors, serverPage } from '../platform/page.ts';

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

const style = `label{display:block;font-weight:bold}
input,textarea{width:100%;padding:.6rem;font:inherit;border:1px solid ${colors.edge}}`;

/**
 * The page that answers a posted form (a browser without JavaScript) which was not taken: why, and the form again
 * with everything that was typed, so that nothing is lost.
 */
export function refusedFormPage(action: string, error: unknown, button: string, fields: readonly TypedField[]): Response {
  const refusal = error instanceof HttpError ? error : unavailable(error);
  const rows = fields.map((field) => html`<p><label for="${field.name}">${field.label}</label>${control(field)}</p>`);
  return serverPage({
    status: refusal.status,
    title: `Not sent – ${shop.name}`,
    style,
    form: true,
    body: html`<h1>Not sent</h1><p role="alert">${refusal.message}</p>
<form method="post" action="${action}">${rows}<p><button>${button}</button></p></form>
<p><a href="/">Back to ${shop.name}</a></p>`,
  });
}
