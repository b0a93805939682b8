import { AdminError } from '#services/admin/admin-error.ts';

/** A message for the admin: why something failed. */
export const failureMessage = (error: unknown): string =>
  error instanceof AdminError ? error.message : 'Something went wrong. Nothing is lost; try again.';

/** Logs a failure that is a bug of the page: the admin reads no detail of it. */
export function logFailure(error: unknown): void {
  if (!(error instanceof AdminError)) console.error('The owner’s page failed', error);
}
