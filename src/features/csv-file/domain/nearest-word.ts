/** The fewest letters to add, take away or replace to make one word from another. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of from.split('').entries()) {
    const next = [index + 1];
    for (const [at, other] of to.split('').entries())
      next.push(
        Math.min(
          (row[at] ?? 0) + (letter === other ? 0 : 1),
          (row[at + 1] ?? 0) + 1,
          (next[at] ?? 0) + 1,
        ),
      );
    row = next;
  }
  return row[to.length] ?? 0;
}

/** The word that was most likely meant: two letters away at most, and fewer than half of what was typed. Null when none is. */
export function nearestWord(typed: string, words: readonly string[]): string | null {
  const bare = typed.trim().toLowerCase();
  if (bare.length > 40) return null;
  const [best] = words
    .map((word) => ({ word, away: distance(bare, word.toLowerCase()) }))
    .sort((a, b) => a.away - b.away);
  return best && best.away <= 2 && best.away * 2 < bare.length ? best.word : null;
}
