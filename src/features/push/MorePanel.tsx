import { pushApi } from './domain/push.ts';
import type { PushState } from './push-state.ts';
import { RemotePanel } from '#islands/admin/shared/RemotePanel.tsx';
import { PushDevices } from './PushDevices.tsx';
import { homeScreenSteps } from './home-screen-steps.ts';
import { usePush } from './use-push.ts';

export const order = 70;

const explanations: Readonly<Record<PushState, string>> = {
  on: 'On. This device notifies you of a paid order, a message, a payment that belongs to no order, and a product that runs out, also while this page is closed.',
  off: 'Off. Turned on, this device notifies you of a paid order, a message, a payment that belongs to no order, and a product that runs out. Mails arrive either way.',
  blocked:
    'Blocked in this browser. Press the icon left of the address, allow notifications for this site, and reload the page. Mails arrive as usual.',
  unsupported: 'This browser has no notifications. Mails arrive as usual.',
  needs_home_screen: homeScreenSteps,
  not_set_up:
    'Not set up for this shop. The person who maintains your site sets VAPID_PRIVATE_KEY, which `npm run push-key` makes. Mails arrive as usual.',
};

/** The panel under More: whether this device receives notifications, the button that changes it, and the other devices that do. */
export function MorePanel() {
  const { state, error, turnOn, turnOff } = usePush();
  const known = state === null ? (error ?? 'Checking this device…') : explanations[state];
  return (
    <RemotePanel
      title="Notifications on this device"
      failed="The devices could not be loaded"
      // Turned on or off here, this device joins or leaves the list.
      queryKey={['push-devices', state]}
      endpoint={pushApi.read}
      summary={() => (state === 'on' ? 'on' : 'off')}
    >
      {({ devices }, panel) => (
        <div className="text-sm/relaxed">
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <p className="flex-[1_1_20rem] text-ink-700" role="status">
              {known}
            </p>
            {state === 'off' ? (
              <PushButton
                label="Turn on notifications"
                busy={panel.action.busy}
                onPress={() => turnOn(panel.action)}
              />
            ) : null}
            {state === 'on' ? (
              <PushButton
                label="Turn off notifications"
                busy={panel.action.busy}
                onPress={() => turnOff(panel.action)}
              />
            ) : null}
          </div>
          <PushDevices devices={devices} panel={panel} />
        </div>
      )}
    </RemotePanel>
  );
}

function PushButton({
  label,
  busy,
  onPress,
}: {
  label: string;
  busy: boolean;
  onPress: () => void;
}) {
  return (
    <button type="button" className="btn btn-secondary" aria-busy={busy} onClick={onPress}>
      {label}
    </button>
  );
}
