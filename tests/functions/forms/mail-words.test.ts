import { expect, onTestFinished, test, vi } from 'vitest';

test('every kind of mail has the subject, the reply address and the words that were read and approved', async () => {
  // The words of the second shop, so that the file stays as it is whatever this shop calls itself.
  vi.doMock('#shop/shop.ts', () => import('#tests/second-shop/shop.ts'));
  vi.doMock('#shop/seller.ts', () => import('#tests/second-shop/seller.ts'));
  vi.doMock('#shop/delivery.ts', () => import('#tests/second-shop/delivery.ts'));
  vi.doMock('#shop/tax.ts', () => import('#tests/second-shop/tax.ts'));
  vi.doMock('#shop/texts/mails.ts', () => import('#tests/second-shop/texts/mails.ts'));
  // Files share a process: this one reads the settings anew, and leaves none of them behind.
  vi.resetModules();
  onTestFinished(() => {
    for (const file of ['shop.ts', 'seller.ts', 'delivery.ts', 'tax.ts', 'texts/mails.ts'])
      vi.doUnmock(`../../../src/shop/${file}`);
    vi.resetModules();
    vi.useRealTimers();
  });
  vi.stubEnv('URL', 'https://shop.example');
  vi.stubEnv('SUPABASE_URL', 'https://project.supabase.co');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'sb_secret_of_the_test');
  vi.useFakeTimers({ now: new Date('2026-11-21T10:00:00Z'), toFake: ['Date'] });
  const { sampleMails } = await import('#tests/functions/support/sample-mails.ts');
  const mails = sampleMails();
  expect(mails.length).toBeGreaterThan(20);
  // Each ends with the shop's name and address.
  const end = mails[0]?.text.split('\n-- \n')[1] ?? 'no end';
  const words = mails.map(({ kind, subject, replyTo, text }) => {
    // One line a paragraph.
    const [body = '', ...ends] = text.replaceAll(/\n{2,}/gu, '\n').split('\n-- \n');
    expect(ends, kind).toEqual([end]);
    return `━━━ ${kind}\nSubject: ${subject}\n${replyTo === undefined ? '' : `Reply-To: ${replyTo}\n`}${body}`;
  });
  // After a change of words: `npx vitest run mail-words -u`, and read the difference.
  await expect([...words, `━━━ the end of each\n${end}`].join('\n')).toMatchFileSnapshot(
    'mail-words.txt',
  );
});
