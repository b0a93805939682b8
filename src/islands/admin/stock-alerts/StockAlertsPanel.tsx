import { indiaMoment } from '../../../domain/india-dates.ts';
import type { StockAlert } from '../../../domain/admin/stock-alerts.ts';
import {
  deleteStockAlerts,
  fetchStockAlerts,
} from '../../../services/admin/catalogue/stock-alerts.ts';
import { showToast } from '../../../stores/toasts.ts';
import { ActionError } from '../shared/ActionError.tsx';
import { FoldedPanel, unreadSummary } from '../shared/FoldedPanel.tsx';
import { LoadFailed } from '../shared/LoadState.tsx';
import { useAction } from '../shared/use-action.ts';
import { useLoaded } from '../shared/use-loaded.ts';

/** The people who wait for sold-out products, folded until wanted; not there while nobody waits. They are mailed automatically. */
export function StockAlertsPanel() {
  const { data, error, loading, reload, replace } = useLoaded(fetchStockAlerts);
  const action = useAction();
  if (error === null && data === null) return <div aria-busy="true" />;
  if (error === null && data?.length === 0) return null;
  const remove = ({ id, email }: StockAlert) =>
    void action.run('Not deleted', async () => {
      replace(await deleteStockAlerts([id]));
      showToast('Address deleted', { description: email, tone: 'success' });
    });
  return (
    <FoldedPanel
      title="Waiting for stock"
      summary={
        data === null
          ? error === null
            ? ''
            : unreadSummary
          : data.length === 1
            ? '1 address'
            : `${String(data.length)} addresses`
      }
    >
      {error === null ? null : (
        <LoadFailed
          title="Failed to fetch the addresses"
          error={error}
          busy={loading}
          onRetry={reload}
        />
      )}
      <p className="text-sm/relaxed text-ink-500">
        Each gets one e-mail when its product is back in stock, and is deleted then.
      </p>
      <ul aria-label="Waiting for stock">
        {data?.map((one) => (
          <li
            key={one.id}
            className="flex flex-wrap items-center gap-x-4 border-b border-line py-2 text-sm/relaxed last:border-0"
          >
            <p className="min-w-[min(100%,12rem)] flex-1 wrap-anywhere">
              <span className="font-medium">{one.name}</span>
              <span className="block text-ink-500">
                {one.email} · <time dateTime={one.at}>{indiaMoment(one.at)}</time>
              </span>
            </p>
            <button
              type="button"
              className="btn btn-quiet min-h-11"
              aria-label={`Delete ${one.email}, who waits for ${one.name}`}
              onClick={() => remove(one)}
            >
              Delete
            </button>
          </li>
        ))}
      </ul>
      <ActionError error={action.error} />
    </FoldedPanel>
  );
}
