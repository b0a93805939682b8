import { useState } from 'react';
import { useBusy } from '#islands/shared/use-busy.ts';
import { failureMessage, logFailure } from './fetching/failure.ts';

export interface Action {
  busy: boolean;
  /** The failed action and its reason, for ActionError; it stays until the next one. */
  error: string | null;
  /**
   * Runs it unless it is running. Returns false when it failed.
   *
   * @param failed - The title that a failure is shown with, or a function that shows the failure itself.
   */
  run: (failed: string | ((error: unknown) => void), work: () => Promise<void>) => Promise<boolean>;
}

/** One press of a button that changes something: busy while it runs, and its failure shown. */
export function useAction(): Action {
  const { busy, run } = useBusy();
  const [error, setError] = useState<string | null>(null);
  return {
    busy,
    error,
    run: (failed, work) => {
      if (!busy) setError(null);
      return run((problem) => {
        logFailure(problem);
        if (typeof failed === 'string') setError(`${failed}. ${failureMessage(problem)}`);
        else failed(problem);
      }, work);
    },
  };
}
