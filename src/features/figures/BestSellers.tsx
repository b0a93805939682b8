import type { Figures } from './domain/figures.ts';
import { formatRupees } from '#domain/money.ts';

/** The best sellers: products as bars, with their number and worth beside them. */
export function BestSellers({ best }: { best: Figures['best'] }) {
  const maxUnits = Math.max(1, ...best.map(({ pieces }) => pieces));
  return (
    <section aria-labelledby="best-title" className="panel px-[clamp(1rem,3vw,1.5rem)] py-4">
      <h3 className="text-lg" id="best-title">
        Best sellers
      </h3>
      {best.length === 0 ? (
        <p className="mt-2 text-ink-700">Nothing was sold in this time.</p>
      ) : null}
      <ol className="mt-2">
        {best.map(({ productId, name, pieces, paise }) => (
          <li
            key={`${productId ?? ''} ${name}`}
            className="border-t border-line py-2 text-sm first:border-0"
          >
            <div className="flex justify-between gap-3">
              <span className="wrap-anywhere">{name}</span>
              <span className="flex-none text-right tabular-nums">
                <span className="font-medium">
                  {pieces} {pieces === 1 ? 'piece' : 'pieces'}
                </span>
                <span className="text-ink-500"> · {formatRupees(paise)}</span>
              </span>
            </div>
            <svg
              className="mt-1 block h-1.5 w-full"
              viewBox="0 0 100 1"
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              <rect className="fill-accent-500" width={(pieces / maxUnits) * 100} height="1" />
            </svg>
          </li>
        ))}
      </ol>
    </section>
  );
}
