import { indiaMoment } from '#domain/india-dates.ts';
import { formatRupees } from '#domain/money.ts';
import { shop } from '#settings/shop.ts';
import { html, type Markup } from '#core/platform/http/html.ts';
import { colors, serverPage } from '#core/platform/http/page.ts';
import type { PersonalData } from './personal-data.ts';

/** The subjects in the order of the page. A new one in SQL is shown too, after these, under its own name. */
const headings: Readonly<Record<string, string>> = {
  account: 'Account',
  profile: 'Profile',
  orders: 'Orders',
  order_changes: 'Corrections of orders',
  payments: 'Payments',
  refunds: 'Refunds',
  claims: 'Damage you reported',
  reviews: 'Your reviews',
  invoices: 'Invoices',
  credit_notes: 'Credit notes',
  wishlist: 'Wishlist',
  stock_alerts: 'Products you wait for',
  newsletter: 'Newsletter',
  cart_mails: 'E-mails about carts',
  messages: 'Messages to us',
  order_forms: 'Order forms',
  mails: 'Mails from us',
};

/** 'customer_name' and 'customerName' → 'Customer name'; amounts lose their unit. */
function labelOf(key: string): string {
  const words = key
    .replace(/_?paise$/iu, '')
    .replaceAll(/_at$/gu, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, ' ')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

function textOf(key: string, value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return /paise$/iu.test(key) ? formatRupees(value) : String(value);
  return /_at$|^at$/u.test(key) ? indiaMoment(value) : value;
}

function shown(key: string, value: unknown): Markup {
  if (Array.isArray(value)) {
    const entries = value.map((entry) => html`<li>${shown(key, entry)}</li>`);
    return html`<ol>
      ${entries}
    </ol>`;
  }
  if (typeof value === 'object' && value !== null) {
    const rows = Object.entries(value)
      .filter(([, part]) => !isEmpty(part))
      .map(
        ([name, part]) =>
          html`<dt>${labelOf(name)}</dt>
            <dd>${shown(name, part)}</dd>`,
      );
    return html`<dl>${rows}</dl>`;
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return html`${textOf(key, value)}`;
  return html``;
}

const style = `main{max-width:48rem}h2{margin:2.5rem 0 .5rem;font-weight:normal;border-bottom:1px solid ${colors.line}}
dl{display:grid;grid-template-columns:minmax(6rem,12rem) 1fr;gap:.2rem 1rem;margin:.5rem 0}dd{margin:0;overflow-wrap:anywhere}dt{color:${colors.ink[500]}}
ol{padding-left:1.5rem}li+li{margin-top:1rem}
@media (max-width:30rem){dl{grid-template-columns:1fr}dd{margin-bottom:.5rem}}`;

/** The stored data of a person, as a page to read, print or save. Subjects without rows are listed at the end. */
export function personalDataPage(data: PersonalData): Response {
  const subjects = [...Object.keys(headings), ...Object.keys(data)].filter(
    (subject, index, all) => subject in data && all.indexOf(subject) === index,
  );
  const nameOf = (subject: string): string => headings[subject] ?? labelOf(subject);
  const sections = subjects
    .filter((subject) => !isEmpty(data[subject]))
    .map(
      (subject) =>
        html`<section>
          <h2>${nameOf(subject)}</h2>
          ${shown(subject, data[subject])}
        </section>`,
    );
  const none = subjects.filter((subject) => isEmpty(data[subject])).map(nameOf);
  return serverPage({
    title: `Your data – ${shop.name}`,
    style,
    body: html`<h1>What ${shop.name} knows about you</h1>
      <p>
        Everything that the shop holds under your account or your e-mail address. What each is for,
        and how long it is kept, is in the <a href="/privacy">privacy policy</a>.
      </p>
      <p>
        When you delete your account, we erase all of it except paid orders and your wish to get no
        e-mails about carts, which we keep without your address. Of paid orders, tax law (Rule 46 of
        the CGST Rules) makes us keep name, address, items and amounts, and we keep the e-mail
        address to find them when you ask. Phone, notes, reviews and reports of damage go as soon as
        the order has arrived or is cancelled and a report is answered.
      </p>
      ${sections}
      ${none.length === 0 ? '' : html`<p>The shop holds nothing about: ${none.join(', ')}.</p>`}`,
  });
}

/** The same as a file for programs. */
export const personalDataFile = (data: PersonalData): Response =>
  new Response(`${JSON.stringify(data, null, 2)}\n`, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="my-data.json"',
      'cache-control': 'no-store',
    },
  });
