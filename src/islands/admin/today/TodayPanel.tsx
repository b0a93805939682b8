import { useState } from 'react';
import { noticeText } from '#domain/admin/notice.ts';
import type { Today } from '#domain/admin/today.ts';
import { indiaCalendarDay } from '#domain/calendar-day.ts';
import { indiaMoment } from '#domain/india-dates.ts';
import { formatRupees } from '#domain/money.ts';
import { closesCheckout, parseNotice } from '#domain/shop-notice.ts';
import { PushOffer } from '#features/push/PushOffer.tsx';
import { DeploysNote } from '#islands/admin/publish/DeploysNote.tsx';
import { LoadState } from '#islands/admin/shared/fetching/LoadState.tsx';
import { HoldsTile } from './HoldsTile.tsx';
import { MoneyTile } from './MoneyTile.tsx';
import { RefundPaymentDialog } from './RefundPaymentDialog.tsx';
import { TileCount } from './TileCount.tsx';
import { TodayTile } from './TodayTile.tsx';
import { todayTiles } from './today-tiles.ts';
import { useToday } from './use-today.ts';

/** The tasks that need the admin's attention now, and the sales figures. */
export function TodayPanel() {
  const { data: today, ...state } = useToday();
  const [sendingBack, setSendingBack] = useState<Today['money']['items'][number] | null>(null);
  return (
    <section aria-labelledby="today-title" aria-busy={today === null && state.loading}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="section-title" id="today-title" tabIndex={-1}>
          Today
        </h2>
        {today ? <Sales sales={today.sales} /> : null}
      </div>
      <LoadState
        {...state}
        shown={today !== null}
        failed="Today could not be loaded"
        text="Loading today"
      />
      {today?.notice ? <ClosedNote notice={today.notice} /> : null}
      {today ? <Waiting today={today} onSendBack={setSendingBack} /> : null}
      {/* They stand below the tiles, because they may come later and would move the tiles away from under a finger. */}
      {today ? <PushOffer today={today} /> : null}
      {today ? <DeploysNote /> : null}
      {sendingBack ? (
        <RefundPaymentDialog
          key={sendingBack.paymentId}
          payment={sendingBack}
          onClose={() => {
            setSendingBack(null);
          }}
          onDone={() => {
            setSendingBack(null);
          }}
        />
      ) : null}
    </section>
  );
}

interface WaitingProps {
  today: Today;
  onSendBack: (payment: Today['money']['items'][number]) => void;
}

function Waiting({ today, onSendBack }: WaitingProps) {
  const tiles = todayTiles(today);
  const { money, unsentMails, mailsStuckSince: stuckSince, mailRefusal } = today;
  const lastHeld = today.holds.orders.filter(({ takesLast }) => takesLast);
  if (tiles.length === 0 && money.count === 0 && unsentMails === 0 && stuckSince === null) {
    return (
      <div className="mt-3.5 grid gap-0.5 border border-l-3 border-line border-l-accent-500 bg-white px-5 py-4 [border-left-style:double]">
        <p className="font-display text-xl">All clear.</p>
        <p className="text-sm text-ink-700">
          Nothing to pack, nothing to answer, nothing low. Enjoy the day.
        </p>
      </div>
    );
  }
  return (
    <ul className="mt-3.5 grid grid-cols-2 gap-2.5 md:grid-cols-[repeat(auto-fit,minmax(14rem,1fr))]">
      {money.count > 0 ? <MoneyTile money={money} onSendBack={onSendBack} /> : null}
      {tiles.map((tile) => (
        <TodayTile key={tile.label} tile={tile} />
      ))}
      {lastHeld.length > 0 ? <HoldsTile holds={lastHeld} /> : null}
      {unsentMails > 0 || stuckSince !== null ? (
        <UnsentMails count={unsentMails} stuckSince={stuckSince} refusal={mailRefusal} />
      ) : null}
    </ul>
  );
}

/** Mails that do not go out: all of them for a while, or single ones after many tries. */
function UnsentMails({
  count,
  stuckSince,
  refusal,
}: {
  count: number;
  stuckSince: string | null;
  refusal: string | null;
}) {
  return (
    <li className="today-tile col-span-full" data-tone="danger">
      {stuckSince === null ? (
        <TileCount count={count} label={count === 1 ? 'unsent mail' : 'unsent mails'} />
      ) : (
        <p className="font-display text-xl/[1.3]">
          No mail goes out since <time dateTime={stuckSince}>{indiaMoment(stuckSince)}</time>
        </p>
      )}
      <p className="text-sm text-ink-700">
        {stuckSince === null
          ? 'Several attempts failed. '
          : 'Neither you nor your customers get mails, and nobody can sign up. Orders go on, and their mails are sent later. '}
        Ask the person who maintains your site to check the mail settings.
        {refusal === null ? null : ` The mail server says: ${refusal}.`}
      </p>
    </li>
  );
}

/** 'checkout is closed until Sat 5 Dec'; null while it is open. */
function closedText(notice: NonNullable<Today['notice']>): string | null {
  const today = indiaCalendarDay(new Date());
  return closesCheckout(parseNotice(notice), today) ? noticeText(notice, today) : null;
}

/** Reminds the admin that checkout is closed and that nobody can buy. */
function ClosedNote({ notice }: { notice: NonNullable<Today['notice']> }) {
  const text = closedText(notice);
  if (text === null) return null;
  return (
    <p className="notice mt-3.5" role="status">
      <span className="font-medium">Customers cannot buy: {text}.</span>{' '}
      <a className="link inline-block py-2.5" href="#more">
        Change the holiday notice
      </a>
    </p>
  );
}

function Sales({ sales }: { sales: Today['sales'] }) {
  const orders = (count: number) => `${String(count)} ${count === 1 ? 'order' : 'orders'}`;
  return (
    <p className="text-sm text-ink-700">
      Sold today <span className="font-medium text-ink-900">{formatRupees(sales.todayPaise)}</span>{' '}
      ({orders(sales.todayOrders)}){' · '}this month{' '}
      <span className="font-medium text-ink-900">{formatRupees(sales.monthPaise)}</span> (
      {orders(sales.monthOrders)})
    </p>
  );
}
