/** A reason why the stack cannot start, in one sentence for the person at the terminal. */
export class StartError extends Error {
  override name = 'StartError';
}
