import * as z from 'zod/mini';
import { reads } from '#domain/admin/endpoint.ts';
import { shop } from '#settings/shop.ts';
import { dayMs, isoDay } from '#domain/calendar-day.ts';
import { formatRupees, type Paise } from '#domain/money.ts';

export const periods = ['week', 'month', 'year'] as const;
export type Period = (typeof periods)[number];

const day = z.iso.date();
const sums = { orders: z.int(), paise: z.int() };

/**
 * Sales of a week, month or year of India's calendar, summed by the database: an order counts on the day it was paid, a
 * refund on the day it was requested. Days are '2026-11-22'; amounts are paise, less refunds.
 */
export const figuresSchema = z.object({
  period: z.enum(periods),
  today: day,
  from: day,
  /** The last day of the period. */
  to: day,
  ...sums,
  refundedPaise: z.int(),
  /** What went back for cancelled orders, which are in none of the sums. */
  cancelledPaise: z._default(z.int(), 0),
  /** Days; in a year months, named by their first day. */
  bars: z.array(z.object({ from: day, ...sums })),
  /** The previous period up to the same point. */
  before: z.object({ from: day, to: day, ...sums }),
  /** What the mails about left carts brought (SQL `private.cart_mail_figures`); null without a mail in the period. */
  cartMails: z._default(z.nullable(z.object({ sent: z.int(), ...sums })), null),
  best: z.array(
    z.object({
      productId: z.nullable(z.string()),
      name: z.string(),
      pieces: z.int(),
      paise: z.int(),
    }),
  ),
});
export type Figures = z.infer<typeof figuresSchema>;

const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat(shop.locale, { timeZone: 'UTC', ...options });
  return (text: string): string => formatter.format(new Date(`${text}T00:00:00Z`));
};
const dayMonth = format({ day: 'numeric', month: 'short' });
const dayMonthYear = format({ day: 'numeric', month: 'short', year: 'numeric' });
const weekdayName = format({ weekday: 'short' });
const weekdayDay = format({ weekday: 'long', day: 'numeric', month: 'long' });
const monthName = format({ month: 'long', year: 'numeric' });
const shortMonth = format({ month: 'short' });

/** 'November 2026', '2026', or '16 – 22 Nov 2026'. */
export function periodTitle({ period, from, to }: Pick<Figures, 'period' | 'from' | 'to'>): string {
  if (period === 'month') return monthName(from);
  if (period === 'year') return from.slice(0, 4);
  return `${from.slice(0, 7) === to.slice(0, 7) ? String(Number(from.slice(8))) : dayMonth(from)} – ${dayMonthYear(to)}`;
}

/** The label of a bar, in full and short. */
export function barNames(period: Period, from: string): { full: string; short: string } {
  if (period === 'year') return { full: monthName(from), short: shortMonth(from).slice(0, 3) };
  return {
    full: weekdayDay(from),
    short: period === 'week' ? weekdayName(from) : String(Number(from.slice(8))),
  };
}

/** The day before a period and the first one after it; null when that has not begun. */
export function neighbours({ from, to, today }: Pick<Figures, 'from' | 'to' | 'today'>): {
  earlier: string;
  later: string | null;
} {
  const shift = (text: string, days: number): string => isoDay(Date.parse(text) + days * dayMs);
  const later = shift(to, 1);
  return { earlier: shift(from, -1), later: later > today ? null : later };
}

const shortUnits = [
  [10_000_000, 'Cr'],
  [100_000, 'L'],
  [1_000, 'k'],
] as const;

/** Rupees, short enough to fit over a bar: 85 000 paise → '850', 1 234 500 → '12k', 12 000 000 → '1.2L'. */
export function shortRupees(paise: Paise): string {
  const rupees = Math.floor(Math.abs(paise) / 100);
  const [unit, letter] = shortUnits.find(([min]) => rupees >= min) ?? [1, ''];
  const value = rupees / unit;
  return `${paise < 0 ? '−' : ''}${String(value < 10 && unit > 1 ? Math.floor(value * 10) / 10 : Math.floor(value))}${letter}`;
}

/** The average order, null without orders. */
export const averagePaise = ({ orders, paise }: { orders: number; paise: Paise }): Paise | null =>
  orders === 0 ? null : Math.round(paise / orders);

/** '12 % more', '8 % less', 'the same', or null without a value to compare with. */
export function changeText(now: number, before: number): string | null {
  if (before <= 0) return null;
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return now === before ? 'the same' : 'nearly the same';
  return `${String(Math.abs(percent))} % ${percent > 0 ? 'more' : 'less'}`;
}

/** The compared period: 'October 2026', or '1 – 22 Oct 2026' while the current period is not over. */
export function beforeTitle({ period, today, to, before }: Figures): string {
  if (today > to) return periodTitle({ period, from: before.from, to: before.to });
  if (before.from >= before.to) return dayMonthYear(before.from);
  return periodTitle({ period: 'week', from: before.from, to: before.to });
}

/** What went back in the period: what the sales are less by, and what was left out of both. '' for nothing. */
export function refundsText({
  refundedPaise,
  cancelledPaise,
}: Pick<Figures, 'refundedPaise' | 'cancelledPaise'>): string {
  const taken = `${formatRupees(refundedPaise)} of refunds is taken off.`;
  const left = `${formatRupees(cancelledPaise)} went back for cancelled orders, which are `;
  return [
    ...(refundedPaise > 0 ? [taken] : []),
    ...(cancelledPaise > 0
      ? [`${left}${refundedPaise > 0 ? 'in neither figure' : 'not in the sales'}.`]
      : []),
  ].join(' ');
}

/** '12 e-mails about carts were sent. 2 orders followed within seven days, for ₹1,200.00.'; '' without a mail. */
export function cartMailsText({ cartMails }: Pick<Figures, 'cartMails'>): string {
  if (cartMails === null) return '';
  const { sent, orders, paise } = cartMails;
  const mails =
    sent === 1 ? '1 e-mail about a cart was sent' : `${String(sent)} e-mails about carts were sent`;
  if (orders === 0) return `${mails}. No order followed within seven days.`;
  return `${mails}. ${orders === 1 ? '1 order' : `${String(orders)} orders`} followed within seven days, for ${formatRupees(paise)}.`;
}

export const figuresApi = {
  /** Takes the query `period` and `day`, a day of that period. */
  read: reads('/api/admin/figures', figuresSchema),
};
