import type { PublicFormName } from '#domain/checkout/public-form.ts';
import { shop } from '#settings/shop.ts';
import { html, type Markup } from '#core/platform/http/html.ts';
import { HttpError, unavailable } from '#core/platform/http/http-error.ts';
import { colors, serverPage } from '#core/platform/http/page.ts';
import { formOpenMs, signFormTime } from './form-time.ts';

/** One field of a form, as the page shows it. */
export interface FormField {
  name: string;
  label: string;
  type: 'text' | 'email' | 'multiline';
  required: boolean;
}

function control({ name, type, required }: FormField, value: string): Markup {
  const needed: Markup = { markup: required ? ' required' : '' };
  // HTML drops one line break after <textarea>: this one, not the first that was typed.
  return type === 'multiline'
    ? html`<textarea id="${name}" name="${name}" rows="6" ${needed}>${value}</textarea>`
    : html`<input id="${name}" name="${name}" type="${type}" value="${value}" ${needed} />`;
}

const style = `label{display:block;font-weight:bold}
input,textarea{width:100%;padding:.6rem;font:inherit;border:1px solid ${colors.edge}}`;

interface ShownForm {
  form: PublicFormName;
  error: unknown;
  button: string;
  fields: readonly FormField[];
  typed: Readonly<Record<string, unknown>>;
}

/**
 * The page that answers a posted form (of a browser without JavaScript) which was not taken: why, and the form again with
 * everything that was typed, so that nothing is lost, and a signed time, which the static page could not have.
 */
export function formPage({ form, error, button, fields, typed }: ShownForm): Response {
  const refusal = error instanceof HttpError ? error : unavailable(error);
  const text = (name: string): string => {
    const value = typed[name];
    return typeof value === 'string' ? value : '';
  };
  const again = refusal.code === 'form_time';
  const heading = again ? 'One more press' : 'Not sent';
  // Keeps a sent time, so that a form sent too early is accepted the second time.
  const formTime =
    formOpenMs(form, text('form_time')) === null ? signFormTime(form) : text('form_time');
  const rows = fields.map(
    (field) =>
      html`<p>
        <label for="${field.name}">${field.label}</label>${control(field, text(field.name))}
      </p>`,
  );
  return serverPage({
    status: again ? 200 : refusal.status,
    title: `${heading} – ${shop.name}`,
    style,
    form: true,
    body: html`<h1>${heading}</h1>
      <p role="alert">${refusal.message}</p>
      <form method="post" action="/api/${form}">
        <input type="hidden" name="form_time" value="${formTime}" />${rows}
        <p><button>${button}</button></p>
      </form>
      <p><a href="/">Back to ${shop.name}</a></p>`,
  });
}
