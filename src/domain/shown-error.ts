/** An error whose message is a sentence for customers. */
export class ShownError extends Error {
  override name = 'ShownError';
}

/**
 * Whether the shop wrote the message of an error. Errors of the browser and of libraries are of a class of their own and written for
 * programmers, such as "Failed to fetch dynamically imported module: https://…".
 */
export const isShown = (error: unknown): error is Error =>
  error instanceof Error &&
  error.message !== '' &&
  (error instanceof ShownError || Object.getPrototypeOf(error) === Error.prototype);
