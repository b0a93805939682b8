/** The security check of a form could not be made. The message names what the visitor can do. */
export class HumanCheckError extends Error {
  override name = 'HumanCheckError';
}
