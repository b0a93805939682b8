import { expect, test } from 'vitest';
import { formatRecoveryCode, parseCode } from './second-factor.ts';

const letters = 'ABCDEFGHIJKLMNOPQRST2345';

test('six digits are a code of the app, with or without a space', () => {
  for (const typed of ['123456', ' 123 456 ', '123-456'])
    expect(parseCode(typed)).toEqual({ kind: 'app', digits: '123456' });
});

test('a recovery code is shown in groups of four, and read however it is typed', () => {
  const shown = formatRecoveryCode(letters);
  expect(shown).toBe('ABCD-EFGH-IJKL-MNOP-QRST-2345');
  for (const typed of [shown, letters, shown.toLowerCase(), ` ${shown.replaceAll('-', ' ')}`])
    expect(parseCode(typed)).toEqual({ kind: 'recovery', letters });
});

test('anything else is no code', () => {
  for (const typed of ['', '12345', '1234567', '12345a', letters.slice(1), `${letters}A`, '१२३४५६'])
    expect(parseCode(typed)).toBeNull();
});
