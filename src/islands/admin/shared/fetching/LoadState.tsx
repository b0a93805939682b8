import { indiaMoment } from '#domain/india-dates.ts';
import type { FetchState } from './use-fetched.ts';

interface LoadStateProps extends FetchState {
  /** Whether there is something to show already. */
  shown: boolean;
  /** 'The orders could not be loaded'. */
  failed: string;
  /** 'Loading orders', shown during the first load; without it that shows nothing. */
  text?: string;
}

/** The loading, error or stale state of a view. Nothing when all is well. */
export function LoadState({
  shown,
  failed,
  text,
  error,
  loading,
  staleSince,
  reload,
}: LoadStateProps) {
  if (staleSince !== null)
    return (
      <p className="notice my-3.5" role="status">
        This is as of {indiaMoment(new Date(staleSince).toISOString())}: the shop could not be
        reached since then. The page tries again by itself.
      </p>
    );
  if (shown) return null;
  if (error === null) return text === undefined ? null : <Loading text={text} />;
  return (
    <div className="notice notice-danger my-4" role="alert">
      <p className="font-medium">{failed}</p>
      <p className="text-sm">{error}</p>
      <button type="button" className="btn btn-secondary mt-3" aria-busy={loading} onClick={reload}>
        Try again
      </button>
    </div>
  );
}

function Loading({ text }: { text: string }) {
  return (
    <p className="flex items-center gap-3 py-8 text-ink-700" role="status">
      <span className="spinner text-accent-700" aria-hidden="true" /> {text}…
    </p>
  );
}
