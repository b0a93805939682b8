import { beforeEach, expect, test, vi } from 'vitest';
import { sampleMails } from '../support/sample-mails.ts';

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
