/** Prints one line to the terminal. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints one line about an error that does not stop the stack. */
export function warn(what: string, error?: unknown): void {
  process.stderr.write(`${what}${error === undefined ? '' : `: ${messageOf(error)}`}\n`);
}

/** The message of an error, without the pages of source text that some stacks carry. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
