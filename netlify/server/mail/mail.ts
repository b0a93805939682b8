import { seller, shop } from '../../../src/shop.config.ts';
import { html, type Markup } from '../platform/html.ts';

/** A composed e-mail, before it has a sender and a recipient. */
export interface Mail {
  subject: string;
  text: string;
  html: string;
  /** Who gets the answers, when that is not decided by the recipient. */
  replyTo?: string;
  headers?: Readonly<Record<string, string>>;
}

const ink = '#2b2118';
const muted = '#6f6355';
const gold = shop.checkout.themeColor;

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
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${subject}</title>
      </head>
      <body
        style="margin:0;padding:24px 12px;background:#f6f1e7;color:${ink};font:16px/1.55 Georgia,'Times New Roman',serif"
      >
        <table
          role="presentation"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          style="max-width:600px;margin:0 auto;background:#fffdf8;border-top:4px solid ${gold}"
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
              style="padding:16px 28px 24px;border-top:1px solid #eadfca;font:13px/1.5 Helvetica,Arial,sans-serif;color:${muted}"
            >
              ${shop.name}, ${seller.contact.address}<br />${contactLine}
            </td>
          </tr>
        </table>
      </body>
    </html>`;
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
