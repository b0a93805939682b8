import { expect, test } from 'vitest';
import { openingText } from '#domain/checkout/checkout-state.ts';

test('a shop that does not sell yet names the day, until it has come', () => {
  const day = Date.parse('2026-12-09');
  expect(openingText('2026-12-10', day)).toBe('opens on Thu 10 Dec');
  for (const opensOn of ['2026-12-09', '2026-12-01', undefined])
    expect(openingText(opensOn, day)).toBe('opens soon');
});
