import { readPushState, turnPushOff, turnPushOn, type PushState } from './push-state.ts';
import { showToast } from '#stores/toasts.ts';
import type { Action } from '#islands/admin/shared/use-action.ts';
import { showResponse } from '#islands/admin/shared/fetching/query-client.ts';
import { useFetched } from '#islands/admin/shared/fetching/use-fetched.ts';

const queryKey = ['push'];

export interface Push {
  /** Null until it is known, and when it cannot be. */
  state: PushState | null;
  /** Why it cannot be known. */
  error: string | null;
  /** Each as `action` of the part whose button was pressed: it names what failed. */
  turnOn: (action: Action) => void;
  turnOff: (action: Action) => void;
}

/** Notifications on this device: how they stand, and turning them on and off. */
export function usePush(): Push {
  const { data: state, error } = useFetched({
    queryKey,
    queryFn: ({ signal }) => readPushState(signal),
    // It registers this device: once a page is enough.
    staleTime: Infinity,
  });
  const turn = (
    action: Action,
    to: () => Promise<PushState>,
    failed: string,
    titles: Partial<Record<PushState, string>>,
  ) =>
    void action.run(failed, async () => {
      const reached = await to();
      showResponse(queryKey, reached);
      const title = titles[reached];
      if (title !== undefined) showToast(title);
    });
  return {
    state,
    error,
    turnOn: (action) => {
      turn(action, turnPushOn, 'Notifications are not on', {
        on: 'Notifications are on',
        off: 'Notifications were not allowed',
      });
    },
    turnOff: (action) => {
      turn(action, turnPushOff, 'Notifications are not off', { off: 'Notifications are off' });
    },
  };
}
