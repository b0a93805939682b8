import { useState } from 'react';

/** Which rows of a list are chosen, by their ids, to do something to all of them. */
export interface Selection {
  /** The list shows a checkbox a row. */
  active: boolean;
  ids: ReadonlySet<string>;
  start: () => void;
  /** Ends choosing, and forgets what was chosen. */
  end: () => void;
  toggle: (id: string) => void;
  set: (ids: readonly string[]) => void;
}

const none: ReadonlySet<string> = new Set();

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string> | null>(null);
  return {
    active: ids !== null,
    ids: ids ?? none,
    start: () => setIds(none),
    end: () => setIds(null),
    toggle: (id) => {
      setIds((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      });
    },
    set: (chosen) => setIds(new Set(chosen)),
  };
}
