import type { Handler } from '#local/emulators/http/handler.ts';
import { json } from '#local/emulators/http/handler.ts';
import { escapeHtml, page, table } from '#local/emulators/http/page.ts';
import type { Mail, MailStore } from './mail-store.ts';

/**
 * `/local/mailbox` for people, `/local/mailbox.json` for tests (GET: newest first, with `?to=` those to one address; DELETE:
 * empties it).
 */
export function mailboxRoutes(store: MailStore): Handler {
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/local/mailbox.json') {
      if (request.method === 'DELETE') {
        await store.clear();
        return new Response(null, { status: 204 });
      }
      const address = searchParams.get('to')?.toLowerCase();
      return json(
        address === undefined
          ? store.list()
          : store.list().filter(({ to }) => to.some((one) => one.toLowerCase().includes(address))),
      );
    }
    if (pathname === '/local/mailbox' || pathname === '/local/mailbox/')
      return showList(store.list());
    const [, id, part] = /^\/local\/mailbox\/([\w-]+)(\/html)?$/u.exec(pathname) ?? [];
    const mail = id === undefined ? undefined : store.find(id);
    if (!mail) return undefined;
    return part === undefined ? showMail(mail) : showHtml(mail);
  };
}

function showList(mails: readonly Mail[]): Response {
  const rows = mails.map((mail) => [
    `<a href="/local/mailbox/${mail.id}">${escapeHtml(mail.subject || '(no subject)')}</a>`,
    escapeHtml(mail.to.join(', ')),
    escapeHtml(mail.from),
    `<time>${escapeHtml(mail.receivedAt)}</time>`,
  ]);
  return page(
    'Mailbox',
    `<p>Every mail that the shop sends arrives here and goes nowhere else.</p>
${table(['Subject', 'To', 'From', 'Received'], rows)}`,
  );
}

function showMail(mail: Mail): Response {
  const links = mail.links
    .map((link) => `<li><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></li>`)
    .join('');
  const frame = `<h2>As mail programs show it</h2>
<iframe sandbox="allow-popups allow-top-navigation-by-user-activation" title="The mail" src="/local/mailbox/${mail.id}/html"></iframe>`;
  return page(
    mail.subject || '(no subject)',
    `<p><a href="/local/mailbox">Mailbox</a></p>
<p>From ${escapeHtml(mail.from)} to ${escapeHtml(mail.to.join(', '))}, <time>${escapeHtml(mail.receivedAt)}</time></p>
${links === '' ? '' : `<h2>Links</h2><ul>${links}</ul>`}
${mail.html === null ? '' : frame}
<h2>Text</h2><pre>${escapeHtml(mail.text)}</pre>`,
  );
}

/** The mail's own HTML, in a frame: no scripts, and links open the whole window. */
function showHtml(mail: Mail): Response {
  return new Response(`<base target="_top">${mail.html ?? ''}`, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; img-src * data:; style-src 'unsafe-inline'; sandbox allow-popups allow-top-navigation-by-user-activation",
      'cache-control': 'no-store',
    },
  });
}
