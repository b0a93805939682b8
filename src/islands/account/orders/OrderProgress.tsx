import { formatShortDay, indiaCalendarDay } from '#domain/calendar-day.ts';
import type { OwnOrder } from '#domain/orders/own-order.ts';
import { progressOf } from '#domain/orders/own-order-progress.ts';

/** Paid · Packed · Shipped · Delivered, each with its day. Renders nothing for an order without delivery. */
export function OrderProgress({ order }: { order: OwnOrder }) {
  const steps = progressOf(order);
  if (steps === null) return null;
  const reached = steps.findLastIndex(({ isDone }) => isDone);
  // 'Confirmed' is as wide as a quarter of a small phone.
  return (
    <ol
      className={`mt-5 grid gap-x-1 text-sm ${order.cash === null ? 'grid-cols-4' : 'grid-cols-[repeat(4,auto)]'}`}
      aria-label="Progress"
    >
      {steps.map(({ name, isDone, at }, index) => (
        <li
          key={name}
          className={`border-t-2 pt-2 ${isDone ? 'border-accent-500 font-medium' : 'border-line text-ink-500'}`}
          aria-current={index === reached ? 'step' : undefined}
        >
          {name}
          {isDone && at !== null ? (
            <time className="block text-xs whitespace-nowrap text-ink-500" dateTime={at}>
              {formatShortDay(indiaCalendarDay(new Date(at)))}
            </time>
          ) : null}
          {isDone ? null : <span className="visually-hidden"> not yet</span>}
        </li>
      ))}
    </ol>
  );
}
