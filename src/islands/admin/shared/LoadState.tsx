/** Shown during a first load. */
export function Loading({ text }: { text: string }) {
  return (
    <p className="flex items-center gap-3 py-8 text-ink-700" role="status">
      <span className="spinner text-accent-700" aria-hidden="true" /> {text}…
    </p>
  );
}

interface LoadFailedProps {
  title: string;
  error: string;
  busy: boolean;
  onRetry: () => void;
}

/** Shown after a failed load, with a button that retries. */
export function LoadFailed({ title, error, busy, onRetry }: LoadFailedProps) {
  return (
    <div className="notice notice-danger my-4" role="alert">
      <p className="font-medium">{title}</p>
      <p className="text-sm">{error}</p>
      <button type="button" className="btn btn-secondary mt-3" aria-busy={busy} onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
