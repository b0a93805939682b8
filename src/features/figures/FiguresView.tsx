import { useState } from 'react';
import {
  averagePaise,
  beforeTitle,
  cartMailsText,
  changeText,
  neighbours,
  periods,
  periodTitle,
  refundsText,
  type Figures,
  type Period,
} from './domain/figures.ts';
import { cashOnDelivery } from '#settings/cash-on-delivery.ts';
import { formatRupees } from '#domain/money.ts';
import { fetchFigures } from './fetch-sales.ts';
import { BackToMore } from '#islands/admin/shared/BackToMore.tsx';
import { LoadState } from '#islands/admin/shared/fetching/LoadState.tsx';
import { useFetched } from '#islands/admin/shared/fetching/use-fetched.ts';
import { BarChart } from './BarChart.tsx';
import { BestSellers } from './BestSellers.tsx';

const labels: Readonly<Record<Period, string>> = { week: 'Week', month: 'Month', year: 'Year' };

/** The sales of a week, month or year, compared with the one before. */
export function FiguresView() {
  const [chosen, setChosen] = useState<{ period: Period; day: string | null }>({
    period: 'month',
    day: null,
  });
  const { data: figures, ...state } = useFetched({
    queryKey: ['figures', chosen],
    queryFn: ({ signal }) => fetchFigures(chosen.period, chosen.day, signal),
  });
  return (
    <section aria-labelledby="figures-title" aria-busy={state.loading}>
      <BackToMore />
      <h2 className="section-title" id="figures-title" tabIndex={-1}>
        Figures
      </h2>
      <div className="filter-chips" role="group" aria-label="Period">
        {periods.map((period) => (
          <button
            key={period}
            type="button"
            className="filter-chip"
            aria-pressed={period === chosen.period}
            onClick={() => setChosen({ period, day: null })}
          >
            {labels[period]}
          </button>
        ))}
      </div>
      <LoadState
        {...state}
        shown={figures !== null}
        failed="The figures could not be loaded"
        text="Loading figures"
      />
      {figures ? (
        <div className={`grid gap-4 ${state.outdated ? 'opacity-60' : ''}`}>
          <Steps figures={figures} onDay={(day) => setChosen({ period: figures.period, day })} />
          <Sums figures={figures} />
          <BarChart figures={figures} />
          <BestSellers best={figures.best} />
          {figures.cartMails === null ? null : (
            <p className="text-sm text-ink-700">{cartMailsText(figures)}</p>
          )}
          <p className="text-sm text-ink-500">
            An order counts on the day it was paid, a refund on the day it was made; cancelled
            orders do not count. The accountant’s files go by the dates of invoices and credit
            notes, so an order paid in one month and sent in the next stands in the next month there
            {cashOnDelivery === null
              ? ''
              : ', and a cash parcel on its way stands there before its cash is here'}
            .
          </p>
        </div>
      ) : null}
    </section>
  );
}

function Steps({ figures, onDay }: { figures: Figures; onDay: (day: string) => void }) {
  const { earlier, later } = neighbours(figures);
  const step = (label: string, day: string | null) => (
    <button
      type="button"
      className="btn btn-secondary btn-small"
      aria-disabled={day === null}
      onClick={() => day !== null && onDay(day)}
    >
      {label}
      <span className="visually-hidden"> {figures.period}</span>
    </button>
  );
  return (
    <div className="flex items-center justify-between gap-2">
      {step('Earlier', earlier)}
      <p className="text-center font-display text-lg" role="status">
        {periodTitle(figures)}
      </p>
      {step('Later', later)}
    </div>
  );
}

function Sums({ figures }: { figures: Figures }) {
  const { before } = figures;
  const average = averagePaise(figures);
  const averageBefore = averagePaise(before);
  const tiles = [
    {
      label: 'Sales',
      value: formatRupees(figures.paise),
      change: changeText(figures.paise, before.paise),
      then: formatRupees(before.paise),
    },
    {
      label: 'Orders',
      value: String(figures.orders),
      change: changeText(figures.orders, before.orders),
      then: String(before.orders),
    },
    {
      label: 'Average order',
      value: average === null ? '–' : formatRupees(average),
      change:
        average === null || averageBefore === null ? null : changeText(average, averageBefore),
      then: averageBefore === null ? 'no order' : formatRupees(averageBefore),
    },
  ];
  return (
    <div>
      <dl className="grid grid-cols-2 gap-2.5 md:grid-cols-3">
        {tiles.map(({ label, value, change, then }) => (
          <div key={label} className="today-tile max-md:first:col-span-full">
            <dt className="text-sm text-ink-700">{label}</dt>
            <dd className="font-display text-xl/[1.3] wrap-anywhere">{value}</dd>
            <dd className="text-xs/relaxed text-ink-500">
              {change === null ? '' : `${change} ${change.endsWith('same') ? 'as' : 'than'} `}
              {then} before
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-sm text-ink-500">
        Compared with {beforeTitle(figures)}. {refundsText(figures)}
      </p>
    </div>
  );
}
