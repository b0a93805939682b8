import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { linkTokenPattern } from '#domain/orders/link-token.ts';
import { reasonOf } from '#services/connection.ts';
import { useIsClient } from './use-is-client.ts';

/** What the page of an order's mailed link shows, once it is fetched. */
export interface Linked<State> {
  token: string;
  state: State;
  setState: (state: State) => void;
}

interface LinkPageProps<State> {
  /** A function of the module, so that it stays the same from draw to draw. */
  fetchState: (token: string) => Promise<State>;
  /** Ends the sentence about a link that is cut: how else to get here. */
  otherWay?: ReactNode;
  children: (linked: Linked<State>) => ReactNode;
}

/** The page of an order's mailed link, whose token stands after # in its address. */
export function LinkPage<State>(props: LinkPageProps<State>) {
  if (!useIsClient()) return <Loading />;
  const token = window.location.hash.slice(1);
  return linkTokenPattern.test(token) ? (
    <LinkedPage token={token} {...props} />
  ) : (
    <p className="mt-6" role="alert">
      This link is incomplete. Open it from the e-mail{props.otherWay}.
    </p>
  );
}

function Loading() {
  return (
    <p className="lead mt-4" aria-busy="true">
      One moment, please…
    </p>
  );
}

function LinkedPage<State>({
  token,
  fetchState,
  children,
}: LinkPageProps<State> & { token: string }) {
  const [state, setState] = useState<State | undefined>();
  const [failed, setFailed] = useState<string | null>(null);
  const load = useCallback(() => {
    fetchState(token).then(
      (answer) => {
        setFailed(null);
        setState(answer);
      },
      (error: unknown) => {
        setFailed(reasonOf(error));
      },
    );
  }, [token, fetchState]);
  useEffect(load, [load]);
  if (failed !== null) {
    return (
      <div className="mt-6 grid justify-items-start gap-4">
        <p role="alert">{failed}</p>
        <div className="flex flex-wrap gap-3">
          <button type="button" className="btn btn-secondary" onClick={load}>
            Try again
          </button>
          <a className="btn btn-quiet" href="/profile#orders">
            See your orders
          </a>
        </div>
      </div>
    );
  }
  return state === undefined ? <Loading /> : children({ token, state, setState });
}
