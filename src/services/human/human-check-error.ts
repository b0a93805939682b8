import { ShownError } from '#domain/shown-error.ts';

/** The security check of a form could not be made. The message names what the visitor can do. */
export class HumanCheckError extends ShownError {
  override name = 'HumanCheckError';
}
