/** Avatar initials: the first letters of the first and last word, at most 2, 'U' when there is no name. */
export function initials(name: string | null | undefined): string {
  const words = (name ?? '').trim().split(/\s+/u).filter(Boolean);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  const firstLetter = (text: string): string => /./su.exec(text)?.[0] ?? '';
  // Some capitals are two letters ('ß' → 'SS'): the first of them stands for the word.
  const letters = chosen.map((word) => firstLetter(firstLetter(word ?? '').toUpperCase())).join('');
  return letters || 'U';
}
