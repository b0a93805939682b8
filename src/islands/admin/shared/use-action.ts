import { useState } from 'react';
import { failureMessage } from './use-loaded.ts';

export interface Action {
  busy: boolean;
  /** The failed action and its reason, for ActionError; it stays until the next one. */
  error: string | null;
  /** Runs it unless it is running. A failure is shown as `title` with its reason, and returns false. */
  run: (title: string, work: () => Promise<void>) => Promise<boolean>;
}

/** One press of a button that changes something: busy while it runs, and its failure shown. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const run = async (title: string, work: () => Promise<void>) => {
    if (busy) return false;
    setBusy(true);
    setError(null);
    try {
      await work();
      return true;
    } catch (problem) {
      setError(`${title}. ${failureMessage(problem)}`);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, run };
}
