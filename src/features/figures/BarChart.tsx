import { barNames, shortRupees, type Figures } from './domain/figures.ts';
import { formatRupees } from '#domain/money.ts';

const height = 100;
const columnWidth = 10;
/** Under a month's thirty bars not every number finds room. */
const isNamed = (period: Figures['period'], index: number): boolean =>
  period !== 'month' || index === 0 || (index + 1) % 5 === 0;

/** Sales by day, or in a year by month, as bars with their values; all of them also as a table. */
export function BarChart({ figures }: { figures: Figures }) {
  const { period, bars, today } = figures;
  const top = Math.max(0, ...bars.map(({ paise }) => paise));
  const bottom = Math.min(0, ...bars.map(({ paise }) => paise));
  const y = (paise: number): number =>
    top === bottom ? height : ((top - paise) / (top - bottom)) * height;
  const best = bars.find(({ paise }) => paise === top && paise > 0);
  const by = period === 'year' ? 'month' : 'day';
  const summary = `Sales by ${by}${best ? `: most on ${barNames(period, best.from).full}, ${formatRupees(best.paise)}` : ''}. The values follow as a table.`;
  const columns = { gridTemplateColumns: `repeat(${String(bars.length)}, minmax(0, 1fr))` };
  return (
    <figure className="panel px-3 py-4 sm:px-5">
      <figcaption className="text-sm text-ink-700">
        {best
          ? `Best ${by}: ${barNames(period, best.from).full}, ${formatRupees(best.paise)}`
          : `Sales by ${by}`}
      </figcaption>
      {period === 'month' ? null : (
        <div
          className={`mt-3 grid text-center text-ink-700 tabular-nums ${period === 'year' ? 'text-[0.625rem]/[1rem] tracking-tight sm:text-xs/[1rem]' : 'text-xs/[1rem]'}`}
          style={columns}
          aria-hidden="true"
        >
          {bars.map(({ from, paise }) => (
            <span key={from}>{paise === 0 ? '' : shortRupees(paise)}</span>
          ))}
        </div>
      )}
      <svg
        role="img"
        aria-label={summary}
        className="mt-1 block h-40 w-full sm:h-56"
        viewBox={`0 0 ${String(bars.length * columnWidth)} ${String(height)}`}
        preserveAspectRatio="none"
      >
        {bars.map(({ from, paise }, index) => (
          <rect
            key={from}
            className={
              paise < 0 ? 'fill-danger-700' : from === today ? 'fill-brand-700' : 'fill-accent-500'
            }
            x={index * columnWidth + 1.5}
            width={columnWidth - 3}
            y={y(Math.max(paise, 0))}
            height={Math.abs(y(Math.min(paise, 0)) - y(Math.max(paise, 0)))}
          />
        ))}
        <line
          className="stroke-edge"
          x1="0"
          x2={bars.length * columnWidth}
          y1={y(0)}
          y2={y(0)}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <div
        className="mt-1 grid text-center text-xs/[1.25rem] text-ink-500"
        style={columns}
        aria-hidden="true"
      >
        {bars.map(({ from }, index) => (
          <span key={from} className="flex justify-center">
            {isNamed(period, index) ? <BarLabel period={period} from={from} /> : null}
          </span>
        ))}
      </div>
      <details className="mt-2">
        <summary className="flex min-h-11 cursor-pointer items-center text-sm text-ink-700 underline underline-offset-4">
          Values as a table
        </summary>
        <table className="w-full text-sm tabular-nums">
          <caption className="visually-hidden">Sales by {by}</caption>
          <thead>
            <tr className="border-b border-line text-left">
              <th className="py-1.5 font-medium" scope="col">
                {period === 'year' ? 'Month' : 'Day'}
              </th>
              <th className="py-1.5 text-right font-medium" scope="col">
                Orders
              </th>
              <th className="py-1.5 text-right font-medium" scope="col">
                Sales
              </th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ from, orders, paise }) => (
              <tr key={from} className="border-b border-line">
                <th className="py-1.5 text-left font-normal" scope="row">
                  {barNames(period, from).full}
                </th>
                <td className="py-1.5 text-right">{orders}</td>
                <td className="py-1.5 text-right">{formatRupees(paise)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** The name under a bar. Twelve months find room for a letter each on a phone. */
function BarLabel({ period, from }: { period: Figures['period']; from: string }) {
  const { short } = barNames(period, from);
  if (period !== 'year') return short;
  return (
    <>
      <span className="sm:hidden">{short.slice(0, 1)}</span>
      <span className="max-sm:hidden">{short}</span>
    </>
  );
}
