import { indiaDay } from '#domain/india-dates.ts';
import { pushApi, type PushDevice } from './domain/push.ts';
import { callAdmin } from '#services/admin/api.ts';
import { showToast } from '#stores/toasts.ts';
import type { Panel } from '#islands/admin/shared/RemotePanel.tsx';

interface PushDevicesProps {
  devices: readonly PushDevice[];
  panel: Pick<Panel<unknown>, 'action' | 'reload'>;
}

/** The devices that get notifications, each with a button that removes it. Nothing while there are none. */
export function PushDevices({ devices, panel: { action, reload } }: PushDevicesProps) {
  if (devices.length === 0) return null;
  const remove = (id: number) =>
    void action.run('The device is not removed', async () => {
      await callAdmin(pushApi.turnOff, { body: { id } });
      showToast('Device removed', { description: 'It is logged out and gets no notifications.' });
      reload();
    });
  return (
    <div className="mt-4">
      <h3 className="font-medium">
        {devices.length === 1 ? '1 device gets' : `${String(devices.length)} devices get`}{' '}
        notifications
      </h3>
      <ul className="mt-1 divide-y divide-line">
        {devices.map(({ id, device, since, current }) => (
          <li key={id} className="flex items-center justify-between gap-4 py-1">
            <span>
              {device || 'A browser'}, since {indiaDay(since)}
              {current ? ' (this device)' : ''}
            </span>
            {current ? null : (
              <button
                type="button"
                className="btn btn-quiet"
                aria-busy={action.busy}
                onClick={() => {
                  remove(id);
                }}
              >
                Remove<span className="visually-hidden"> {device || 'this browser'}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
