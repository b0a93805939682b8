import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { Today } from '../../../domain/admin/today.ts';
import { formatRupees } from '../../../domain/money.ts';
import { $today, reloadToday } from '../../../stores/admin-today.ts';
import { NotificationsOffer } from '../notifications/NotificationsOffer.tsx';
import type { Push } from '../notifications/use-push.ts';
import { LoadFailed, Loading } from '../shared/LoadState.tsx';
import { MoneyTile } from './MoneyTile.tsx';
import { RefundPaymentDialog } from './RefundPaymentDialog.tsx';
import { TileCount } from './TileCount.tsx';
import { TodayTile } from './TodayTile.tsx';
import { todayTiles } from './today-tiles.ts';

/** The tasks that need the admin's attention now, and the sales figures. */
export function TodayPanel({ push }: { push: Push }) {
  const { today, error, loading } = useStore($today);
  const [sendingBack, setSendingBack] = useState<Today['money']['items'][number] | null>(null);
  return (
    <section aria-labelledby="today-title" aria-busy={loading}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="section-title" id="today-title" tabIndex={-1}>
          Today
        </h2>
        {today ? <Sales sales={today.sales} /> : null}
      </div>
      {error === null ? null : (
        <LoadFailed
          title="Today could not be loaded"
          error={error}
          busy={loading}
          onRetry={reloadToday}
        />
      )}
      {today === null && error === null ? <Loading text="Loading today" /> : null}
      {today ? <Waiting today={today} onSendBack={setSendingBack} /> : null}
      {/* Below the tiles: it may come after them, and would move them away from under a finger. */}
      {today ? <NotificationsOffer push={push} today={today} /> : null}
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
  if (tiles.length === 0 && today.money.count === 0 && today.unsentMails === 0) {
    return (
      <div className="mt-3.5 grid gap-0.5 border border-l-3 border-line border-l-gold-500 bg-white px-5 py-4 [border-left-style:double]">
        <p className="font-display text-xl">All clear.</p>
        <p className="text-sm text-ink-700">
          Nothing to pack, nothing to answer, nothing low. Enjoy the day.
        </p>
      </div>
    );
  }
  return (
    <ul className="mt-3.5 grid grid-cols-2 gap-2.5 md:grid-cols-[repeat(auto-fit,minmax(14rem,1fr))]">
      {today.money.count > 0 ? <MoneyTile money={today.money} onSendBack={onSendBack} /> : null}
      {tiles.map((tile) => (
        <TodayTile key={tile.label} tile={tile} />
      ))}
      {today.unsentMails > 0 ? (
        <li className="today-tile col-span-full" data-tone="danger">
          <TileCount
            count={today.unsentMails}
            label={today.unsentMails === 1 ? 'unsent mail' : 'unsent mails'}
          />
          <p className="text-sm text-ink-700">
            Several attempts failed. Ask the person who maintains your site to check the mail
            settings.
          </p>
        </li>
      ) : null}
    </ul>
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
