import type { QueryKey } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type * as z from 'zod/mini';
import type { Endpoint } from '#domain/admin/endpoint.ts';
import { callAdmin } from '#services/admin/api.ts';
import { ActionError } from './ActionError.tsx';
import { FoldedPanel } from './FoldedPanel.tsx';
import { LoadState } from './fetching/LoadState.tsx';
import { refetch, showResponse } from './fetching/query-client.ts';
import { useAction, type Action } from './use-action.ts';
import { useFetched } from './fetching/use-fetched.ts';

export interface Panel<T> {
  /** The action of the panel's changes; a failure is shown at its end. */
  action: Action;
  /** Shows the response of a change without refetching. */
  replace: (data: T) => void;
  reload: () => void;
}

interface RemotePanelProps<Answer extends z.ZodMiniType> {
  title: string;
  className?: string;
  /** The title of a failed load. */
  failed: string;
  /** Answers with the panel's data. */
  endpoint: Endpoint<never, Answer, never>;
  /** The endpoint's path by default. */
  queryKey?: QueryKey;
  /** Stands beside the title once the data has come. */
  summary: (data: z.output<Answer>) => string;
  children: (data: z.output<Answer>, panel: Panel<z.output<Answer>>) => ReactNode;
}

/** A folded part of the page that fetches its data when it is unfolded, and saves changes of it. */
export function RemotePanel<Answer extends z.ZodMiniType<object>>({
  title,
  className,
  failed,
  endpoint,
  queryKey = [endpoint.path],
  summary,
  children,
}: RemotePanelProps<Answer>) {
  const [open, setOpen] = useState(false);
  const action = useAction();
  const { data, ...state } = useFetched<z.output<Answer>>({
    queryKey,
    queryFn: ({ signal }) => callAdmin(endpoint, { signal }),
    enabled: open,
    // Fetched once for each visit of More: a later response would replace what is typed in a form.
    staleTime: Infinity,
    gcTime: 0,
  });
  const panel: Panel<z.output<Answer>> = {
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
