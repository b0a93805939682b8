import { indiaMoment } from '#domain/india-dates.ts';
import { stockAlertsApi, type StockAlert } from './domain/stock-alerts-api.ts';
import { callAdmin } from '#services/admin/api.ts';
import { showToast } from '#stores/toasts.ts';
import { RemotePanel, type Panel } from '#islands/admin/shared/RemotePanel.tsx';

const summaryOf = ({ length }: readonly StockAlert[]): string =>
  length === 0 ? 'nobody' : length === 1 ? '1 address' : `${String(length)} addresses`;

export const order = 50;

/** The people who wait for sold-out products, folded until wanted. They are mailed automatically. */
export function MorePanel() {
  return (
    <RemotePanel
      title="Waiting for stock"
      failed="Failed to fetch the addresses"
      endpoint={stockAlertsApi.list}
      summary={({ alerts }) => summaryOf(alerts)}
    >
      {({ alerts }, panel) => <StockAlerts alerts={alerts} panel={panel} />}
    </RemotePanel>
  );
}

interface StockAlertsProps {
  alerts: StockAlert[];
  panel: Panel<{ alerts: StockAlert[] }>;
}

function StockAlerts({ alerts, panel: { action, replace } }: StockAlertsProps) {
  const remove = ({ id, email }: StockAlert) =>
    void action.run('Not deleted', async () => {
      replace(await callAdmin(stockAlertsApi.remove, { body: { ids: [id] } }));
      showToast('Address deleted', { description: email, tone: 'success' });
    });
  return (
    <>
      <p className="text-sm/relaxed text-ink-500">
        Customers ask at a sold-out product. Each gets one e-mail when it is back in stock, and is
        deleted then.
      </p>
      <ul aria-label="Waiting for stock">
        {alerts.map((one) => (
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
    </>
  );
}
