import { expect, test } from 'vitest';
import { complaints } from '../../lint/complaints.ts';

const word = (name: string, better: string): string =>
  `'${name}': write ${better} (CONTRIBUTING, Writing, 7).`;
const constructor = (name: string): string =>
  `'${name}' returns a new object: write create… (CONTRIBUTING, Writing, 7).`;

test('names of the shop’s code have the words of CONTRIBUTING; columns of SQL and tests keep theirs', async () => {
  const code = `
export interface Limits { leastPaise: number; max_per_shopper: number }
export const shopperOf = (most: number): number => most;
export const waitMs = (patienceMs: number): boolean => patienceMs > 0;
export const almostAll = 'most of all shoppers';
export const openList = () => ({ close: () => undefined });
export function makeList(): { size: number } {
  if (waitMs(1)) return { size: 1 };
  return { size: 2 };
}
export const openDialog = (): void => {
  [1].map((size) => ({ size }));
};
`;
  const found = [
    word('leastPaise', 'min…'),
    word('shopperOf', 'customer'),
    word('most', 'max…'),
    word('most', 'max…'),
    word('patienceMs', 'timeLimit…'),
    word('patienceMs', 'timeLimit…'),
    constructor('openList'),
    constructor('makeList'),
    constructor('makeList'),
  ];
  const files = ['src/domain/probe.ts', 'netlify/core/probe.ts', 'local/probe.ts'];
  expect(
    await complaints(
      [...files, 'tests/unit/probe.ts'].map((file) => [file, code] as const),
      /shop\(names\)/u,
    ),
  ).toEqual([found, found, found, []]);
});
