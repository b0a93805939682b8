import { html, type Markup } from '#core/platform/http/html.ts';
import { colors, fontFamilies, serverPage } from '#core/platform/http/page.ts';

const { accent, ink, line } = colors;

const style = `body{font:15px/1.5 ${fontFamilies.text}}
main{max-width:210mm;padding:24px 16px 48px;background:#fff}
h1,h2.title{margin:0;font:26px/1.3 ${fontFamilies.display}}h2:not(.title){margin:0 0 4px;font-size:13px;letter-spacing:.06em;text-transform:uppercase;color:${accent[700]}}
p{margin:0 0 4px;white-space:pre-line;overflow-wrap:anywhere}
.bar-note{margin-bottom:16px;color:${ink[500]}}.bar{display:flex;justify-content:flex-end;margin-bottom:16px}
.head,.parts{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(220px,1fr));margin-bottom:20px}
.head{border-bottom:2px solid ${accent[700]};padding-bottom:12px}
.wide{overflow-x:auto;margin-bottom:20px}
table{width:100%;border-collapse:collapse;font-size:13px}caption{text-align:left;font-weight:bold;padding-bottom:4px}
th,td{padding:6px 8px;border-bottom:1px solid ${line};text-align:left;vertical-align:top}
th{font-size:12px}td.n,th.n{text-align:right;white-space:nowrap}td.box{width:40px}
td.box span{display:inline-block;width:20px;height:20px;border:2px solid ${ink[900]}}
tfoot td,tfoot th{border-bottom:0;font-weight:bold;font-size:13px}.small{font-size:12px;color:${ink[500]}}
.sheet{margin-top:48px;padding-top:24px;border-top:2px dashed ${line}}
@page{size:A4;margin:12mm}
@media print{body{background:#fff;font-size:10.5pt}main{padding:0;max-width:none}.bar,.bar-note{display:none}
.sheet{break-before:page;margin:0;padding:0;border:0}.wide{overflow:visible}tr,.keep{break-inside:avoid}thead{display:table-header-group}}`;

const script = `document.querySelector('button').addEventListener('click',()=>{window.print()})`;

/** A document for print that reads on a phone too: on A4, or with a style of its own. It runs nothing but its print button. */
export function printPage(title: string, body: Markup, ownStyle = style): Response {
  return serverPage({
    title,
    style: ownStyle,
    script,
    headers: { 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'same-origin' },
    body: html`<div class="bar"><button type="button">Print</button></div>
      ${body}`,
  });
}

/** Lines that are not blank, one below the other. */
export const lines = (...texts: readonly (string | null)[]): Markup =>
  html`<p>${texts.filter((text) => text !== null && text.trim() !== '').join('\n')}</p>`;
