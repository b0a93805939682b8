import * as z from 'zod/mini';

/** Stands for a word that a newer database gives, and that this release has no text for. */
export const unknownWord = 'unknown_word';
export type UnknownWord = typeof unknownWord;

/**
 * Parses a word of SQL that only becomes a text for people. After an upgrade of the database the site of before still runs, or an
 * open page of it, and meets words that it does not know: they become `unknownWord`, whose text must be true for any word. A word
 * that decides about money or stock is parsed with `z.enum` in its place, which refuses what it does not know.
 */
export const shownWord = <const Word extends string>(words: readonly Word[]) =>
  z.pipe(
    z.string(),
    z.transform((given): Word | UnknownWord => words.find((word) => word === given) ?? unknownWord),
  );
