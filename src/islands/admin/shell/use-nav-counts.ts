import { useCallback } from 'react';
import { fetchToday } from '../../../services/admin/today.ts';
import type { NavCounts } from './AdminNav.tsx';
import { useLoaded } from '../shared/use-loaded.ts';
import { useReturn } from '../shared/use-return.ts';

/** What waits in Orders and Inbox, read again with every change of `view` and when the admin comes back. */
export function useNavCounts(view: string): NavCounts | null {
  // The view is what makes it stale.
  const load = useCallback(
    async (signal: AbortSignal): Promise<NavCounts & { view: string }> => {
      const { toPack, toAnswer } = await fetchToday(signal);
      return { toPack: toPack.count, unread: toAnswer.count, view };
    },
    [view],
  );
  const { data, reload } = useLoaded(load);
  useReturn(reload);
  return data;
}
