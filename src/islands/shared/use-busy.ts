import { useState } from 'react';

export interface Busy {
  busy: boolean;
  /**
   * Runs it unless it is running. Returns false when it failed, after `onFailure` has shown why. The button stays busy after work that
   * returns 'leaving', because another page follows.
   */
  run: (
    onFailure: (error: unknown) => void,
    work: () => Promise<undefined | 'leaving'> | Promise<void>,
  ) => Promise<boolean>;
}

/** The state of a button that does something: busy while it runs, and one press at a time. */
export function useBusy(): Busy {
  const [busy, setBusy] = useState(false);
  const run: Busy['run'] = async (onFailure, work) => {
    if (busy) return false;
    setBusy(true);
    let isLeaving = false;
    try {
      isLeaving = (await work()) === 'leaving';
      return true;
    } catch (error) {
      onFailure(error);
      return false;
    } finally {
      if (!isLeaving) setBusy(false);
    }
  };
  return { busy, run };
}
