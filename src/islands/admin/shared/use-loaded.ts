import { useCallback, useEffect, useRef, useState } from 'react';
import { AdminError } from '../../../services/admin/admin-error.ts';

/** A message for the admin: why something failed. */
export function failureMessage(error: unknown): string {
  if (error instanceof AdminError) return error.message;
  console.error('The owner’s page failed', error);
  return 'Something went wrong. Nothing is lost; try again.';
}

export interface Loaded<T> {
  /** The last response. It stays while a new one loads, and when that fails. */
  data: T | null;
  error: string | null;
  loading: boolean;
  /** `data` is the response of an earlier `load`. */
  outdated: boolean;
  reload: () => void;
  /** Shows the response of a change without refetching. */
  replace: (data: T) => void;
}

/** Loads when mounted and whenever `load` changes. Memoise `load`. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{
    data: T | null;
    error: string | null;
    done: { load: unknown } | null;
  }>({ data: null, error: null, done: null });
  const [requested, setRequested] = useState({ load, round });
  if (requested.load !== load || requested.round !== round) setRequested({ load, round });
  const latest = useRef<{ requested: typeof requested; stop: AbortController } | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    latest.current = { requested, stop };
    requested.load(stop.signal).then(
      (data) => {
        if (!stop.signal.aborted) setState({ data, error: null, done: requested });
      },
      (error: unknown) => {
        if (!stop.signal.aborted)
          setState(({ data }) => ({ data, error: failureMessage(error), done: requested }));
      },
    );
    return () => {
      stop.abort();
    };
  }, [requested]);

  const reload = useCallback(() => {
    setRound((before) => before + 1);
  }, []);
  const replace = useCallback((data: T) => {
    // A request under way began before the change: its response must not overwrite it.
    latest.current?.stop.abort();
    setState({ data, error: null, done: latest.current?.requested ?? null });
  }, []);
  return {
    data: state.data,
    error: state.error,
    loading: state.done !== requested,
    outdated: state.done !== null && state.done.load !== load,
    reload,
    replace,
  };
}
