import { useEffect, useState, type ComponentType, type ReactNode } from 'react';

interface LazyPartProps<P extends object> {
  /** Fetches the component: a function of the module, so that it stays the same from draw to draw. */
  load: () => Promise<ComponentType<P>>;
  props: P;
  /** Drawn until it has come. */
  waiting?: ReactNode;
}

/** A part of the page whose code comes when it is first needed. Without a connection it shows that, with a retry. */
export function LazyPart<P extends object>({ load, props, waiting = null }: LazyPartProps<P>) {
  const [part, setPart] = useState<{ Part: ComponentType<P> } | null>(null);
  const [failed, setFailed] = useState(false);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    load()
      .then((Part) => {
        if (current) setPart({ Part });
      })
      .catch((error: unknown) => {
        console.warn('A part of the page could not be loaded', error);
        if (current) setFailed(true);
      });
    return () => {
      current = false;
    };
  }, [load, round]);
  if (part) return <part.Part {...props} />;
  if (!failed) return waiting;
  return (
    <div className="notice notice-danger" role="alert">
      <p>
        This part of the page could not be loaded. Please check your connection and reload the page.
      </p>
      <button
        type="button"
        className="btn btn-secondary"
        onClick={() => {
          setFailed(false);
          setRound(round + 1);
        }}
      >
        Try again
      </button>
    </div>
  );
}
