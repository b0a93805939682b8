import { useState } from 'react';
import type { Today } from '../../../domain/admin/today.ts';
import { declinePush, isPushDeclined } from '../../../services/admin/push.ts';
import { ActionError } from '../shared/ActionError.tsx';
import { homeScreenSteps } from './NotificationSettings.tsx';
import type { Push } from './use-push.ts';

const hasOrders = ({ toPack, toShip, sales }: Today): boolean => toPack.count + toShip.count + sales.monthOrders > 0;

/** Once there are orders: asks whether this device shall tell of the next one, until it is answered here. */
export function NotificationsOffer({ push: { state, action, turnOn }, today }: { push: Push; today: Today | null }) {
  const [declined, setDeclined] = useState(isPushDeclined);
  const canBeOn = state === 'off' || state === 'needs_home_screen';
  if (!canBeOn || declined || today === null || !hasOrders(today)) return null;
  const decline = () => {
    declinePush();
    setDeclined(true);
  };
  return (
    <section className="panel my-4 border-l-3 border-l-palakka-600" aria-labelledby="offer-title">
      <h2 className="font-display text-xl" id="offer-title">
        Hear of the next order at once?
      </h2>
      <p className="mt-1 text-sm/relaxed text-ink-700">
        {state === 'off' ? 'This device can tell you of orders and messages, also while this page is closed. You can turn it off at the foot of this page.' : homeScreenSteps}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        {state === 'off' ? (
          <button type="button" className="btn btn-primary" aria-busy={action.busy} onClick={turnOn}>
            Turn on notifications
          </button>
        ) : null}
        <button type="button" className="btn btn-quiet" onClick={decline}>
          Not now
        </button>
      </div>
      <div className="mt-3 empty:hidden">
        <ActionError error={action.error} />
      </div>
    </section>
  );
}
