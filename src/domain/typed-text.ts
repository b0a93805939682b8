import * as z from 'zod/mini';

/**
 * What shows nothing or turns the reading direction, but for the joiners of Indian scripts and emoji and emoji's variation selector;
 * and the blank Braille pattern, which pastes as a letter.
 */
const unseen = /(?!\u200C|\u200D|\uFE0F)\p{Default_Ignorable_Code_Point}|\u2800/gu;
const seen = /(?!\p{Default_Ignorable_Code_Point})\S/u;

/** A typed text as it is kept: composed letters, nothing that nobody sees, no spaces around; '' when nothing is left to see. */
export function tidyText(text: string): string {
  const tidied = text
    .normalize('NFC')
    .replaceAll(unseen, '')
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/gu, '\n')
    .trim();
  return seen.test(tidied) ? tidied : '';
}

/** Tidies a text as `tidyText` does, in one line: line breaks become spaces. */
export const tidyLine = (text: string): string => tidyText(text).replaceAll(/\s*[\n\t]\s*/gu, ' ');

/** The first check of every typed text of one line. */
export const typedLine = () => z.overwrite<string>(tidyLine);

/** The first check of every typed text that may have several lines. */
export const typedLines = () => z.overwrite<string>(tidyText);
