import { createHash } from 'node:crypto';
import { html, type Markup } from '../../platform/html.ts';

const style = `*{box-sizing:border-box}
body{margin:0;background:#f6f1e7;color:#2b2118;font:15px/1.5 "Helvetica Neue",Arial,sans-serif}
main{max-width:210mm;margin:0 auto;padding:24px 16px 48px;background:#fff}
h1,h2.title{margin:0;font-size:22px}h2:not(.title){margin:0 0 4px;font-size:13px;letter-spacing:.06em;text-transform:uppercase;color:#7a5b1e}
p{margin:0 0 4px;white-space:pre-line;overflow-wrap:anywhere}
button{min-height:44px;padding:8px 20px;border:0;background:#7a5b1e;color:#fff;font:inherit;cursor:pointer}
button:focus-visible,.wide:focus-visible{outline:3px solid #2b2118;outline-offset:2px}
.bar{display:flex;justify-content:flex-end;margin-bottom:16px}
.head,.parts{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(220px,1fr));margin-bottom:20px}
.head{border-bottom:2px solid #7a5b1e;padding-bottom:12px}
.wide{overflow-x:auto;margin-bottom:20px}
table{width:100%;border-collapse:collapse;font-size:13px}caption{text-align:left;font-weight:bold;padding-bottom:4px}
th,td{padding:6px 8px;border-bottom:1px solid #d9cdb5;text-align:left;vertical-align:top}
th{font-size:12px}td.n,th.n{text-align:right;white-space:nowrap}td.box{width:40px}
td.box span{display:inline-block;width:20px;height:20px;border:2px solid #2b2118}
tfoot td,tfoot th{border-bottom:0;font-weight:bold;font-size:13px}.note{font-size:12px;color:#5c5144}
.sheet{margin-top:48px;padding-top:24px;border-top:2px dashed #d9cdb5}
@page{size:A4;margin:12mm}
@media print{body{background:#fff;font-size:10.5pt}main{padding:0;max-width:none}.bar{display:none}
.sheet{break-before:page;margin:0;padding:0;border:0}.wide{overflow:visible}tr,.keep{break-inside:avoid}thead{display:table-header-group}}`;

const script = `document.querySelector('button').addEventListener('click',()=>{window.print()})`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const policy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * A paper for A4 that reads on a phone too. It loads nothing and runs nothing but its print button: the policy names
 * this very style and script by their hashes.
 */
export function printPage(title: string, body: Markup): Response {
  const styled: Markup = { markup: style };
  const printing: Markup = { markup: script };
  const page = html`<!doctype html>
<html lang="en-IN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${styled}</style></head>
<body><main><div class="bar"><button type="button">Print</button></div>
${body}
</main><script>${printing}</script></body></html>`;
  return new Response(page.markup, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'cross-origin-opener-policy': 'same-origin',
    },
  });
}

/** Lines that are not blank, one below the other. */
export const lines = (...texts: readonly (string | null)[]): Markup =>
  html`<p>${texts.filter((text) => text !== null && text.trim() !== '').join('\n')}</p>`;
