import type { PushState } from '../../../services/admin/push.ts';
import { ActionError } from '../shared/ActionError.tsx';
import { useAction } from '../shared/use-action.ts';
import { PushDevices } from './PushDevices.tsx';
import type { Push } from './use-push.ts';

export const homeScreenSteps =
  'An iPhone or iPad gives notifications to pages on its home screen alone: press Share, then ‘Add to Home Screen’, open the page from there and turn them on.';

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

/** Under More: whether this device receives notifications, and the button that changes it. */
export function NotificationSettings({ push: { state, error, turnOn, turnOff } }: { push: Push }) {
  const action = useAction();
  const known = state === null ? (error ?? 'Checking this device…') : explanations[state];
  return (
    <section
      className="border-t border-line pt-4 text-sm/relaxed"
      aria-labelledby="notifications-title"
      aria-busy={state === null && error === null}
    >
      <h2 className="font-medium" id="notifications-title">
        Notifications on this device
      </h2>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="flex-[1_1_20rem] text-ink-700" role="status">
          {known}
        </p>
        {state === 'off' ? (
          <PushButton
            label="Turn on notifications"
            busy={action.busy}
            onPress={() => turnOn(action)}
          />
        ) : null}
        {state === 'on' ? (
          <PushButton
            label="Turn off notifications"
            busy={action.busy}
            onPress={() => turnOff(action)}
          />
        ) : null}
      </div>
      <PushDevices key={state} />
      {action.error === null ? null : (
        <div className="mt-3">
          <ActionError error={action.error} />
        </div>
      )}
    </section>
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
