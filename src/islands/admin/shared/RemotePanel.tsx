import type { QueryFunctionContext, QueryKey } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ActionError } from './ActionError.tsx';
import { FoldedPanel } from './FoldedPanel.tsx';
import { LoadState } from './LoadState.tsx';
import { refetch, showResponse } from './query-client.ts';
import { useAction, type Action } from './use-action.ts';
import { useFetched } from './use-fetched.ts';

export interface Panel<T> {
  /** For what is saved in the panel; a failure is shown at its end. */
  action: Action;
  /** Shows the response of a change without refetching. */
  replace: (data: T) => void;
  reload: () => void;
}

interface RemotePanelProps<T> {
  title: string;
  className?: string;
  /** The title of a failed load. */
  failed: string;
  queryKey: QueryKey;
  load: (signal: AbortSignal) => Promise<T>;
  /** Stands beside the title once the data has come. */
  summary: (data: T) => string;
  children: (data: T, panel: Panel<T>) => ReactNode;
}

/** A folded part of the page that fetches its data when it is unfolded, and saves changes of it. */
export function RemotePanel<T extends object>({
  title,
  className,
  failed,
  queryKey,
  load,
  summary,
  children,
}: RemotePanelProps<T>) {
  const [open, setOpen] = useState(false);
  const action = useAction();
  const { data, ...state } = useFetched<T>({
    queryKey,
    queryFn: ({ signal }: QueryFunctionContext) => load(signal),
    enabled: open,
    // Fetched once for each visit of More: a later response would replace what is typed in a form.
    staleTime: Infinity,
    gcTime: 0,
  });
  const panel: Panel<T> = {
    action,
    replace: (next) => showResponse(queryKey, next),
    reload: () => refetch(queryKey),
  };
  return (
    <FoldedPanel
      title={title}
      summary={data === null ? '' : summary(data)}
      {...(className === undefined ? {} : { className })}
      onToggle={setOpen}
    >
      {open ? <LoadState {...state} shown={data !== null} failed={failed} text="Loading" /> : null}
      {data === null ? null : children(data, panel)}
      <ActionError error={action.error} />
    </FoldedPanel>
  );
}
