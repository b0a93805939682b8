import { beforeEach, expect, test, vi } from 'vitest';
import type { Mail } from '#core/mail/mail.ts';
import { sampleMails } from '#tests/functions/support/sample-mails.ts';

beforeEach(() => {
  vi.stubEnv('URL', 'https://shop.example');
  vi.stubEnv('SUPABASE_URL', 'https://project.supabase.co');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'sb_secret_of_the_test');
});

test('every kind of mail has a subject of one line, and no gap in its words', () => {
  const mails = sampleMails();
  expect(mails.length).toBeGreaterThan(20);
  for (const { kind, subject, text, html } of mails) {
    expect(subject, kind).toMatch(/^[^\r\n]{5,120}$/u);
    expect(text.length, kind).toBeGreaterThan(60);
    for (const words of [subject, text, html])
      expect(words, kind).not.toMatch(/\b(?:undefined|null|NaN)\b|\[object|\{\{/u);
  }
});

/** What a mail program shows of the HTML, line by line, and the addresses that its links open. */
function shownBy({ html }: Mail): string[] {
  const body = html.slice(html.indexOf('<body>'));
  const links = [...body.matchAll(/ href="([^"]+)"/gu)].map(([, address = '']) => address);
  const lines = body
    .replaceAll(/<br \/>|<\/(?:p|h1|h2|td|div)>/gu, '\n')
    .replaceAll(/<[^>]+>/gu, '')
    .split('\n');
  const entities = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
  return [...lines, ...links]
    .map((line) =>
      Object.entries(entities)
        .reduceRight((text, [entity, character]) => text.replaceAll(entity, character), line)
        .trim(),
    )
    .filter((line) => line !== '');
}

test('the text of every mail has each line and each link of its HTML, and the HTML each link of the text', () => {
  for (const mail of sampleMails()) {
    const shown = shownBy(mail);
    expect(shown.length, mail.kind).toBeGreaterThan(3);
    expect(
      shown.filter((line) => !mail.text.includes(line)),
      mail.kind,
    ).toEqual([]);
    const links = mail.text.match(/https:\S+$/gmu) ?? [];
    expect(shown, mail.kind).toEqual(expect.arrayContaining(links));
  }
});
