/** The security check of a form could not be made. The message tells the visitor what to do. */
export class HumanCheckError extends Error {
  override name = 'HumanCheckError';
}
