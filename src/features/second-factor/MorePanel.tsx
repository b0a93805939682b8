import { useState } from 'react';
import { indiaDay } from '#domain/india-dates.ts';
import { secondFactorApi, type SecondFactor } from './domain/second-factor.ts';
import { callAdmin } from '#services/admin/api.ts';
import { showToast } from '#stores/toasts.ts';
import { CredentialsDialog } from '#islands/admin/shared/credentials/CredentialsDialog.tsx';
import { RemotePanel, type Panel } from '#islands/admin/shared/RemotePanel.tsx';
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx';
import { SetUpDialog } from './SetUpDialog.tsx';

type Dialog =
  | { name: 'set-up'; secret: string; uri: string }
  | { name: 'recovery-codes'; codes: string[] }
  | { name: 'new-codes' }
  | { name: 'turn-off' };

function statusText({ since, recoveryLeft: left }: SecondFactor): string {
  if (since === null)
    return 'Turned on, the login also asks for a code from an app on your phone. A stolen password is then not enough.';
  return `${String(left)} recovery ${left === 1 ? 'code is' : 'codes are'} left.`;
}

export const order = 80;

/** The panel under More with the second factor of the login. */
export function MorePanel() {
  return (
    <RemotePanel
      title="Two-step login"
      failed="The login could not be checked"
      endpoint={secondFactorApi.read}
      summary={({ since }) => (since === null ? 'off' : `on since ${indiaDay(since)}`)}
    >
      {(factor, panel) => <Factor factor={factor} panel={panel} />}
    </RemotePanel>
  );
}

interface FactorProps {
  factor: SecondFactor;
  panel: Panel<SecondFactor>;
}

/** How it stands, and the dialogs that change it. */
function Factor({ factor, panel: { action, replace, reload } }: FactorProps) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => {
    setDialog(null);
  };
  const showCodes = (codes: string[]) => {
    setDialog({ name: 'recovery-codes', codes });
    reload();
  };
  const begin = () =>
    void action.run('It cannot be set up now', async () => {
      setDialog({ name: 'set-up', ...(await callAdmin(secondFactorApi.offer, { body: {} })) });
    });
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 text-sm/relaxed">
        <p className="flex-[1_1_20rem] text-ink-700" role="status">
          {statusText(factor)}
        </p>
        <div className="flex flex-wrap gap-3">
          {factor.since === null ? (
            <button
              type="button"
              className="btn btn-secondary"
              aria-busy={action.busy}
              onClick={begin}
            >
              Set up two-step login
            </button>
          ) : (
            <>
              <button
                type="button"
                className="btn btn-secondary"
                onClick={() => {
                  setDialog({ name: 'new-codes' });
                }}
              >
                New recovery codes
              </button>
              <button
                type="button"
                className="btn btn-secondary"
                onClick={() => {
                  setDialog({ name: 'turn-off' });
                }}
              >
                Turn off
                <span className="visually-hidden"> two-step login</span>
              </button>
            </>
          )}
        </div>
      </div>
      {dialog?.name === 'set-up' ? (
        <SetUpDialog secret={dialog.secret} uri={dialog.uri} onDone={showCodes} onClose={close} />
      ) : null}
      {dialog?.name === 'recovery-codes' ? (
        <RecoveryCodesDialog codes={dialog.codes} onClose={close} />
      ) : null}
      {dialog?.name === 'new-codes' ? (
        <CredentialsDialog
          title="New recovery codes"
          codeNeeded
          submitText="Create new codes"
          failure="The recovery codes are unchanged"
          onSubmit={async (credentials) => {
            const { recoveryCodes } = await callAdmin(secondFactorApi.replaceCodes, {
              body: credentials,
            });
            showCodes(recoveryCodes);
          }}
          onClose={close}
        >
          <p>The recovery codes that you have now stop working.</p>
        </CredentialsDialog>
      ) : null}
      {dialog?.name === 'turn-off' ? (
        <CredentialsDialog
          title="Turn off two-step login"
          codeNeeded
          danger
          submitText="Turn off"
          failure="Two-step login stays on"
          onSubmit={async (credentials) => {
            replace(await callAdmin(secondFactorApi.turnOff, { body: credentials }));
            close();
            showToast('Two-step login is off', { description: 'The password alone logs in.' });
          }}
          onClose={close}
        >
          <p>The password alone then logs in. The recovery codes stop working.</p>
        </CredentialsDialog>
      ) : null}
    </>
  );
}
