import { escapeHtml as escapeText } from '#core/platform/http/html.ts';

const css = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid #8884; vertical-align: top; }
.wide { overflow-x: auto; } code { font-size: .9em; }
form { display: inline; } fieldset { border: 1px solid #8886; margin: 1rem 0; padding: .6rem 1rem; }
label { display: inline-block; margin: .2rem 1rem .2rem 0; }
input, select, button { font: inherit; padding: .2rem .5rem; }
iframe { width: 100%; height: 36rem; border: 1px solid #8886; background: #fff; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8881; padding: .8rem; }
`;

const security = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src *; frame-src 'self'; form-action 'self'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  // With 'no-referrer' the pages' own forms would name no origin.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Text made safe inside HTML, also inside a quoted attribute. */
export function escapeHtml(value: string | number | null | undefined): string {
  return escapeText(String(value ?? ''));
}

/** A page of the embedded stack's own, e.g. the mailbox. `body` is HTML, already escaped. */
export function page(title: string, body: string, status = 200): Response {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><link rel="stylesheet" href="/local/style.css"></head>
<body><h1>${escapeHtml(title)}</h1>
${body}
</body></html>`;
  return new Response(html, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...security },
  });
}

export const pageStyle = (): Response =>
  new Response(css, { headers: { 'content-type': 'text/css; charset=utf-8' } });

/** A table of escaped cells, or a note that there are no rows. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '<p>None yet.</p>';
  const head = heads.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join('');
  const body = rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('\n');
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}
