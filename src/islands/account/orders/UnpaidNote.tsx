import { useEffect, useState } from 'react';
import { indiaTime } from '#domain/india-dates.ts';
import type { OwnOrder } from '#domain/orders/own-order.ts';
import { unpaidState } from '#domain/orders/own-order-progress.ts';
import { showToast } from '#stores/toasts.ts';
import { useBusy, type Busy } from '#islands/shared/use-busy.ts';
import { reasonOf } from '#services/connection.ts';

/** The current time, updated when the order's hold ends, so that its buttons disappear. */
function useNowUntil(end: string | null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const left = end === null ? 0 : Date.parse(end) - Date.now();
    if (!(left > 0)) return;
    const timer = setTimeout(
      () => {
        setNow(Date.now());
      },
      Math.min(left + 50, 2 ** 31 - 1),
    );
    return () => {
      clearTimeout(timer);
    };
  }, [end]);
  return now;
}

/** An unpaid order: until when it is held, and buttons to pay or cancel it. Renders nothing for any other order. */
export function UnpaidNote({ order, onChanged }: { order: OwnOrder; onChanged: () => void }) {
  const state = unpaidState(order, useNowUntil(order.holdExpiresAt));
  const [paying, releasing] = [useBusy(), useBusy()];
  if (state === null) return null;
  if (state.kind === 'ended') {
    return (
      <p className="bg-mist p-4 text-sm">
        Not paid. We no longer hold it. If money left your account for it, it is refunded
        automatically.
      </p>
    );
  }
  const press = (action: Busy, failed: string, work: () => Promise<void>) => {
    if (paying.busy || releasing.busy) return;
    const showFailure = (error: unknown) => {
      showToast(failed, {
        description: reasonOf(error),
        tone: 'destructive',
        durationMs: 8_000,
      });
      onChanged();
    };
    void action.run(showFailure, work);
  };
  const pay = () => {
    press(paying, 'The order could not be opened', async () => {
      const { payOpenOrder } = await import('./pay-open-order.ts');
      await payOpenOrder(order);
    });
  };
  const release = () => {
    press(releasing, 'Nothing was released', async () => {
      const { releaseOpenOrder } = await import('./release-open-order.ts');
      await releaseOpenOrder(order);
      onChanged();
    });
  };
  return (
    <div className="bg-mist p-4 text-sm">
      <p>Not paid. We hold it until {indiaTime(state.until)}.</p>
      {state.payable ? (
        <div className="mt-3 flex flex-wrap gap-3">
          <button type="button" className="btn btn-primary" aria-busy={paying.busy} onClick={pay}>
            Pay now
          </button>
          <button
            type="button"
            className="btn btn-quiet"
            aria-busy={releasing.busy}
            onClick={release}
          >
            Release
          </button>
        </div>
      ) : (
        <p>Please pay with the link that we sent you.</p>
      )}
    </div>
  );
}
