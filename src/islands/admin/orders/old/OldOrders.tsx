import { useState } from 'react';
import { LazyPart } from '../../shell/LazyPart.tsx';

const loadList = () => import('./OldOrderList.tsx').then((module) => module.OldOrderList);

/** Orders of the shop's time before this software, folded until wanted. */
export function OldOrders() {
  const [opened, setOpened] = useState(false);
  return (
    <details className="group mt-10 border-y border-line" onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary className="flex min-h-12 flex-wrap items-center gap-x-3 text-sm/relaxed font-medium">
        Old orders
        <span className="font-normal text-ink-500">records from before</span>
        <span className="ml-auto text-lg/relaxed text-gold-700" aria-hidden="true">
          <span className="group-open:hidden">+</span>
          <span className="hidden group-open:inline">–</span>
        </span>
      </summary>
      {opened ? <LazyPart load={loadList} props={{}} /> : null}
    </details>
  );
}
