import { useCallback, useEffect, useState } from 'react';
import { AdminError } from '../../../services/admin/admin-error.ts';

/** A message that tells the admin why something failed. */
export function failureMessage(error: unknown): string {
  if (error instanceof AdminError) return error.message;
  console.error('The owner’s page failed', error);
  return 'Something went wrong. Nothing is lost; try again.';
}

export interface Loaded<T> {
  /** The last answer that could be read; it stays while a new one is under way and when that fails. */
  data: T | null;
  error: string | null;
  loading: boolean;
  /** `data` answers an earlier `load` than the present one. */
  outdated: boolean;
  reload: () => void;
  /** Takes what a change was answered with, without asking again. */
  replace: (data: T) => void;
}

/** Loads when mounted and whenever `load` changes. Memoise `load`. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{
    data: T | null;
    error: string | null;
    done: { load: unknown } | null;
  }>({
    ...{ data: null, error: null, done: null },
  });
  const [asked, setAsked] = useState({ load, round });
  if (asked.load !== load || asked.round !== round) setAsked({ load, round });
  useEffect(() => {
    const stop = new AbortController();
    asked.load(stop.signal).then(
      (data) => {
        if (!stop.signal.aborted) setState({ data, error: null, done: asked });
      },
      (error: unknown) => {
        if (!stop.signal.aborted)
          setState(({ data }) => ({ data, error: failureMessage(error), done: asked }));
      },
    );
    return () => {
      stop.abort();
    };
  }, [asked]);

  const reload = useCallback(() => {
    setRound((before) => before + 1);
  }, []);
  const replace = useCallback((data: T) => {
    setState((before) => ({ ...before, data, error: null }));
  }, []);
  return {
    data: state.data,
    error: state.error,
    loading: state.done !== asked,
    outdated: state.done !== null && state.done.load !== load,
    reload,
    replace,
  };
}
