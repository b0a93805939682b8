import { expect, test } from 'vitest';
import { articleOf } from '#domain/texts/article.ts';
import { codeLength } from '#domain/account/mailed-code.ts';
import { modeTexts } from '#islands/auth/auth-texts.ts';

test('a number has the article of its first sound', () => {
  for (const count of [8, 11, 18, 80, 83, 800, 8_000, 11_000, 18_000_000])
    expect(articleOf(count), String(count)).toBe('an');
  for (const count of [1, 4, 6, 7, 9, 10, 12, 100, 110, 118, 180, 1_100, 1_800])
    expect(articleOf(count), String(count)).toBe('a');
});

test('the texts about a mailed code have it', () => {
  const words = `${articleOf(codeLength)} ${String(codeLength)}-digit code`;
  for (const mode of ['code', 'forgot'] as const) expect(modeTexts[mode].lead).toContain(words);
});
