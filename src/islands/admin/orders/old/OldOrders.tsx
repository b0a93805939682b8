import { useState } from 'react';
import { FoldedPanel } from '../../shared/FoldedPanel.tsx';
import { LazyPart } from '../../shell/LazyPart.tsx';

const loadList = () => import('./OldOrderList.tsx').then((module) => module.OldOrderList);

/** Orders of the shop's time before this software, folded until wanted. */
export function OldOrders() {
  const [opened, setOpened] = useState(false);
  return (
    <FoldedPanel
      title="Old orders"
      summary="records from before"
      className="mt-10 border-t"
      onToggle={(open) => open && setOpened(true)}
    >
      {opened ? <LazyPart load={loadList} props={{}} /> : null}
    </FoldedPanel>
  );
}
