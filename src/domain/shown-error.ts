/** An error whose message is a sentence for customers. */
export class ShownError extends Error {
  override name = 'ShownError';
}

/**
 * What a customer reads of an error: its message when the shop wrote it. Errors of the browser and of libraries are written for
 * programmers, such as "Failed to fetch dynamically imported module: https://…".
 */
export function reasonOf(error: unknown): string {
  const isOwn =
    error instanceof ShownError ||
    (error instanceof Error && Object.getPrototypeOf(error) === Error.prototype);
  return isOwn && error.message !== ''
    ? error.message
    : 'Please check your connection and reload the page.';
}
