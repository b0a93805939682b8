import { seller } from '../../../src/seller.config.ts';
import { shop } from '../../../src/shop.config.ts';
import { siteEnv } from '../platform/env.ts';
import { html, type Markup } from '../platform/html.ts';
import { colors, htmlDocument } from '../platform/page.ts';

/** A composed e-mail, before it has a sender and a recipient. */
export interface Mail {
  subject: string;
  text: string;
  html: string;
  /** Who gets the answers, when that is not decided by the recipient. */
  replyTo?: string;
  headers?: Readonly<Record<string, string>>;
}

const { ink, line, mist } = colors;
const gold = colors.gold[700];

/** A heading inside the letter. */
export const heading = (text: string): Markup =>
  html`<h2
    style="margin:28px 0 8px;font:600 13px/1.4 Helvetica,Arial,sans-serif;letter-spacing:.08em;text-transform:uppercase;color:${gold}"
  >
    ${text}
  </h2>`;

/** A paragraph; line breaks in the text stay. */
export const paragraph = (text: string): Markup =>
  html`<p style="margin:0 0 14px;white-space:pre-line">${text}</p>`;

/** A way into the site, as a line of the text and as a paragraph. */
export interface MailLink {
  text: string;
  markup: Markup;
}

/** A link to a page of the shop, such as '/profile#orders'. */
export function siteLink(label: string, path: string): MailLink {
  const address = new URL(path, siteEnv().URL).href;
  return {
    text: `${label}: ${address}`,
    markup: html`<p style="margin:0 0 14px"><a href="${address}">${label}</a></p>`,
  };
}

const contactLine = `${seller.contact.emails[0]} · ${seller.contact.phone} · ${seller.contact.hours.join(', ')}`;

/** What differs from letter to letter: the same text as HTML and as plain text. */
export interface Letter {
  subject: string;
  title: string;
  body: Markup;
  text: string;
}

/**
 * The letter that every e-mail of the shop is: one column that reads on a phone, inline styles because mail
 * programs drop style sheets, no pictures and nothing loaded from elsewhere.
 */
export function letter({ subject, title, body, text }: Letter): Mail {
  const page = htmlDocument(
    subject,
    html`<div
      style="padding:24px 12px;background:${mist};color:${ink[900]};font:16px/1.55 Georgia,'Times New Roman',serif"
    >
      <table
        role="presentation"
        width="100%"
        cellpadding="0"
        cellspacing="0"
        style="max-width:600px;margin:0 auto;background:${colors.paper};border-top:4px solid ${gold}"
      >
        <tr>
          <td style="padding:28px 28px 8px;font-size:24px;letter-spacing:.04em;color:${gold}">
            ${shop.name}
          </td>
        </tr>
        <tr>
          <td style="padding:0 28px 28px">
            <h1 style="margin:12px 0 16px;font-size:22px;font-weight:normal">${title}</h1>
            ${body}
          </td>
        </tr>
        <tr>
          <td
            style="padding:16px 28px 24px;border-top:1px solid ${line};font:13px/1.5 Helvetica,Arial,sans-serif;color:${ink[500]}"
          >
            ${shop.name}, ${seller.contact.address}<br />${contactLine}
          </td>
        </tr>
      </table>
    </div>`,
  );
  return {
    subject: oneLine(subject),
    text: `${title}\n\n${text}\n\n-- \n${shop.name}, ${seller.contact.address}\n${contactLine}\n`,
    html: page.markup,
  };
}

/** Text fit for a header: no line breaks or control characters. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim();
}
