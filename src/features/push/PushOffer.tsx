import { useState } from 'react';
import type { Today } from '#domain/admin/today.ts';
import { declinePush, isPushDeclined } from './push-state.ts';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { homeScreenSteps } from './home-screen-steps.ts';
import { usePush } from './use-push.ts';

const hasOrders = ({ toPack, toShip, sales }: Today): boolean =>
  toPack.count + toShip.count + sales.monthOrders > 0;

/** Asks, once there are orders, whether this device should show a notification of the next one, until the admin answers here. */
export function PushOffer({ today }: { today: Today }) {
  const { state, turnOn } = usePush();
  const [declined, setDeclined] = useState(isPushDeclined);
  const action = useAction();
  const canBeOn = state === 'off' || state === 'needs_home_screen';
  if (!canBeOn || declined || !hasOrders(today)) return null;
  const decline = () => {
    declinePush();
    setDeclined(true);
  };
  return (
    <section
      className="mt-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border border-l-3 border-line border-l-accent-500 bg-white px-[1.125rem] py-3.5 text-sm/relaxed"
      aria-labelledby="offer-title"
    >
      <div className="flex-[1_1_16rem]">
        <h3 className="font-display text-xl" id="offer-title">
          Get a notification for each new order?
        </h3>
        <p className="text-ink-700">
          {state === 'off'
            ? 'This device can tell you, also while this page is closed. One press under ‘More’ turns it off.'
            : homeScreenSteps}
        </p>
      </div>
      <div className="flex flex-wrap gap-1">
        {state === 'off' ? (
          <button
            type="button"
            className="btn btn-primary px-3.5 whitespace-nowrap"
            aria-busy={action.busy}
            onClick={() => turnOn(action)}
          >
            Turn on notifications
          </button>
        ) : null}
        <button type="button" className="btn btn-quiet px-2 whitespace-nowrap" onClick={decline}>
          Not now
        </button>
      </div>
      {action.error === null ? null : (
        <div className="basis-full">
          <ActionError error={action.error} />
        </div>
      )}
    </section>
  );
}
