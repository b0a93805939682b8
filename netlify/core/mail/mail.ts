import { seller } from '#settings/seller.ts';
import { shop } from '#settings/shop.ts';
import { siteEnv } from '#core/platform/env.ts';
import { html, type Markup } from '#core/platform/http/html.ts';
import { colors, htmlDocument } from '#core/platform/http/page.ts';

/** A composed e-mail, before it has a sender and a recipient. */
export interface Mail {
  subject: string;
  text: string;
  html: string;
  /** The Reply-To address, if it is not the sender. */
  replyTo?: string;
  headers?: Readonly<Record<string, string>>;
}

const { accent, brand, ink, line, mist } = colors;
const sans = 'Helvetica,Arial,sans-serif';

/** A part of a letter, as plain text and as markup. Both say the same. */
export interface LetterPart {
  text: string;
  markup: Markup;
}

const lineBreak = html`<br />`;
/** A paragraph; line breaks in the text stay. They are elements, because Samsung's mail and Outlook for Windows ignore `white-space`. */
const paragraph = (text: string): LetterPart => ({
  text,
  markup: html`<p style="margin:0 0 14px">
    ${text.split('\n').map((line, at) => html`${at === 0 ? '' : lineBreak}${line}`)}
  </p>`,
});

const partOf = (part: string | LetterPart): LetterPart =>
  typeof part === 'string' ? paragraph(part) : part;

/** A part under a heading. */
export function section(title: string, body: string | LetterPart): LetterPart {
  const { text, markup } = partOf(body);
  return {
    text: `${title}\n${text}`,
    markup: html`<h2
        style="margin:28px 0 8px;font:600 13px/1.4 ${sans};letter-spacing:.08em;text-transform:uppercase;color:${accent[700]}"
      >
        ${title}
      </h2>
      ${markup}`,
  };
}

/** A link in a line of its own. */
export const plainLink = (label: string, address: string): LetterPart => ({
  text: `${label}: ${address}`,
  markup: html`<p style="margin:0 0 14px">
    <a style="color:${brand[700]}" href="${address}">${label}</a>
  </p>`,
});

/** The action that the letter requests, as a button. One a letter. */
export const button = (label: string, address: string): LetterPart => ({
  text: `${label}: ${address}`,
  // A cell of a table, because Outlook gives a link neither ground nor padding.
  markup: html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:22px 0">
    <tr>
      <td style="background:${brand[700]}">
        <a
          style="display:inline-block;padding:14px 28px;font:600 16px/1.25 ${sans};color:#ffffff;text-decoration:none"
          href="${address}"
          >${label}</a
        >
      </td>
    </tr>
  </table>`,
});

/** An address of the site, such as of the path '/profile#orders'. */
export const siteAddress = (path: string): string => new URL(path, siteEnv().URL).href;

const contactLine = `${seller.contact.emails[0]} · ${seller.contact.phone} · ${seller.contact.hours.join(', ')}`;

/** The content of one letter. */
export interface Letter {
  subject: string;
  title: string;
  /** The parts in reading order. A string is a paragraph; null is left out. */
  parts: readonly (string | LetterPart | null)[];
}

/**
 * The letter that every e-mail of the shop is: one column that reads on a phone, and inline styles because mail programs drop
 * style sheets. It reads the same without its images, which most programs load on request only.
 */
export function letter({ subject, title, parts }: Letter): Mail {
  const body = parts.filter((part) => part !== null).map(partOf);
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
        style="max-width:600px;margin:0 auto;background:#ffffff"
      >
        <tr>
          <td
            style="padding:22px 28px 16px;border-bottom:4px double ${accent[500]};font-size:24px;line-height:32px;letter-spacing:.06em;color:${brand[700]}"
          >
            <img
              src="${siteAddress('/favicon.png')}"
              width="32"
              height="32"
              alt=""
              style="margin-right:10px;vertical-align:middle"
            />${shop.name}
          </td>
        </tr>
        <tr>
          <td style="padding:20px 28px 28px">
            <h1 style="margin:12px 0 16px;font-size:24px;line-height:1.3;font-weight:normal">
              ${title}
            </h1>
            ${body.map(({ markup }) => markup)}
          </td>
        </tr>
        <tr>
          <td
            style="padding:16px 28px 24px;border-top:1px solid ${line};font:13px/1.5 ${sans};color:${ink[500]}"
          >
            ${shop.name}, ${seller.contact.address}<br />${contactLine}
          </td>
        </tr>
      </table>
    </div>`,
    // Mail programs that turn letters dark leave this one as it is, where they ask.
    html`<meta name="color-scheme" content="light" />
      <meta name="supported-color-schemes" content="light" />
      <style>
        body {
          margin: 0;
        }
      </style>`,
  );
  return {
    subject: oneLine(subject),
    text: `${[title, ...body.map(({ text }) => text)].join('\n\n')}\n\n-- \n${shop.name}, ${seller.contact.address}\n${contactLine}\n`,
    html: page.markup,
  };
}

/** Text fit for a header: no line breaks or control characters. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim();
}
