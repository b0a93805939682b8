import { setTimeout as sleep } from 'node:timers/promises';
import { newId, unixNow } from './entities.ts';
import type { NewEvent } from './events.ts';
import type { FaultBoard } from './faults.ts';
import type { Delivery, Ledger } from './ledger.ts';
import { sign } from './signature.ts';

/** Waits after a failed delivery, in seconds: the provider's growing waits, shortened for a machine to watch. */
const waits = [1, 2, 5, 15, 60, 300, 900, 3600] as const;
/** The provider treats a later response as no response. */
const answerWithinMs = 5_000;
const maxDeliveries = 500;

export interface WebhookSender {
  /** Queues the events of one change, subject to the current faults. */
  enqueue: (events: readonly NewEvent[]) => void;
  close: () => Promise<void>;
}

export interface WebhookTarget {
  url: string;
  secret: string;
}

/** Delivers events one after the other, signed over the exact bytes, until the shop answers 2xx. */
export function startWebhooks(
  ledger: Ledger,
  faults: FaultBoard,
  target: WebhookTarget,
): WebhookSender {
  const stop = new AbortController();
  let wake: (() => void) | null = null;
  const running = deliverUntilStopped();

  async function deliverUntilStopped(): Promise<void> {
    while (!stop.signal.aborted) {
      const due = nextDue(ledger.records.deliveries);
      const inMs = due ? due.next_attempt_at - Date.now() : 60_000;
      if (due && inMs <= 0) await deliver(due);
      else {
        await Promise.race([
          sleep(inMs, undefined, { signal: stop.signal }).catch(() => undefined),
          new Promise<void>((resolve) => {
            wake = resolve;
          }),
        ]);
      }
    }
  }

  async function deliver(delivery: Delivery): Promise<void> {
    delivery.attempts += 1;
    delivery.last_status = await post(delivery);
    const wait = waits[delivery.attempts - 1];
    if (delivery.last_status >= 200 && delivery.last_status < 300) delivery.state = 'delivered';
    else if (wait === undefined) delivery.state = 'failed';
    else delivery.next_attempt_at = Date.now() + wait * 1000;
    ledger.save({ deliveries: [delivery] });
  }

  async function post({ body, event_id }: Delivery): Promise<number> {
    try {
      const answer = await fetch(target.url, {
        method: 'POST',
        body,
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Razorpay-Webhook/v1',
          'x-razorpay-signature': sign(body, target.secret),
          'x-razorpay-event-id': event_id,
        },
        signal: AbortSignal.any([stop.signal, AbortSignal.timeout(answerWithinMs)]),
      });
      await answer.body?.cancel();
      return answer.status;
    } catch {
      return 0;
    }
  }

  return {
    enqueue(events) {
      const { mode, delayMs } = faults.current().webhook;
      const queued = events.map((event) => newDelivery(event, mode === 'lost'));
      if (mode === 'reordered') queued.reverse();
      const all =
        mode === 'duplicate' ? queued.flatMap((delivery) => [delivery, { ...delivery }]) : queued;
      // One millisecond apart: the order of sending is the order of this list.
      const first = Date.now() + delayMs;
      all.forEach((delivery, index) => {
        delivery.next_attempt_at = first + index;
      });
      ledger.records.deliveries = [...all.toReversed(), ...ledger.records.deliveries].slice(
        0,
        maxDeliveries,
      );
      ledger.save({ deliveries: all });
      wake?.();
    },
    async close() {
      stop.abort();
      wake?.();
      await running;
    },
  };
}

function nextDue(deliveries: readonly Delivery[]): Delivery | undefined {
  return deliveries
    .filter(({ state }) => state === 'waiting')
    .reduce<Delivery | undefined>(
      (first, one) => (first && first.next_attempt_at <= one.next_attempt_at ? first : one),
      undefined,
    );
}

function newDelivery({ event, contains, payload }: NewEvent, lost: boolean): Delivery {
  const created = unixNow();
  const envelope = {
    entity: 'event',
    account_id: 'acc_Sandbox0000000',
    event,
    contains,
    payload,
    created_at: created,
  };
  return {
    event_id: newId('evt').slice(4),
    event,
    body: JSON.stringify(envelope),
    state: lost ? 'lost' : 'waiting',
    attempts: 0,
    last_status: null,
    next_attempt_at: 0,
    created_at: created,
  };
}
