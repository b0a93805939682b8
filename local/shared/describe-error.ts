import { stripVTControlCharacters } from 'node:util';
import { projectRoot } from './settings.ts';

/**
 * Everything that an error says, for a person at a terminal: its message with all of its lines, and what stands around it, such as the
 * file of a syntax error. Without colours, calls of the stack and the project's own folder.
 */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return withoutCalls(text);
}

/** What a program printed, without colours and without the calls of its stacks. */
export function withoutCalls(printed: string): string {
  return stripVTControlCharacters(printed)
    .replaceAll('\r', '')
    .split('\n')
    .filter((line) => !/^\s+at .+/u.test(line))
    .join('\n')
    .replaceAll(`file://${projectRoot}/`, '')
    .replaceAll(`${projectRoot}/`, '')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
}
