import { useState } from 'react';
import { savePersonalData } from '#features/data-export/save-personal-data.ts';
import { personalDataApi } from '#domain/admin/personal-data.ts';
import { callAdmin } from '#services/admin/api.ts';
import { BusyButton } from '#islands/shared/BusyButton.tsx';
import { Field } from '#islands/shared/Field.tsx';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { FoldedPanel } from '#islands/admin/shared/FoldedPanel.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';

/** Numbers of orders of other accounts that carry this address. Throws AdminError. */
const fetchOrdersOfOthers = async (email: string): Promise<readonly number[]> =>
  (await callAdmin(personalDataApi.others, { body: { email } })).orders;

const keptText = (kept: number): string =>
  kept === 0
    ? 'Everything about this address is erased.'
    : `Erased, except ${String(kept)} ${kept === 1 ? 'order that was' : 'orders that were'} paid or can still be: tax law asks for paid orders and their invoices.`;

const othersText = (orders: readonly number[]): string =>
  `${orders.length === 1 ? 'Order' : 'Orders'} ${orders.join(', ')} of another account ${orders.length === 1 ? 'carries' : 'carry'} this address, so what you download or erase here leaves ${orders.length === 1 ? 'it' : 'them'} out. Open ${orders.length === 1 ? 'it' : 'them'} under Orders, and ask the customer before you send anything of it.`;

/** Answers people who ask what the shop knows about them, or ask to erase it. Customers with an account do both themselves. */
export function PersonalData() {
  const [email, setEmail] = useState('');
  const [isConfirming, setIsConfirming] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const [others, setOthers] = useState<readonly number[]>([]);
  const action = useAction();
  const download = (as: 'page' | 'file') =>
    action.run('The data could not be loaded', async () => {
      setDone(null);
      setOthers(await fetchOrdersOfOthers(email));
      await savePersonalData(email, as);
      setDone(`Saved to your downloads. Send it to ${email}, and to nobody else.`);
    });
  const erase = () =>
    action.run('Nothing was erased', async () => {
      setOthers(await fetchOrdersOfOthers(email));
      const { kept } = await callAdmin(personalDataApi.erase, { body: { email } });
      setDone(keptText(kept));
      setIsConfirming(false);
    });
  return (
    <FoldedPanel
      title="Someone requests their data"
      summary="download or erase it"
      className="mt-8 border-t"
    >
      <form
        className="grid max-w-xl gap-4 pt-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirming) void erase();
          else void download('page');
        }}
      >
        <p className="text-sm/relaxed text-ink-700">
          The law entitles everyone to a copy of their data, and to its deletion. Reply only to the
          address itself: a request from another address may come from someone else.
        </p>
        <Field
          label="Their e-mail address"
          name="email"
          type="email"
          required
          autoComplete="off"
          value={email}
          onValue={(typed) => {
            setEmail(typed.trim());
            setIsConfirming(false);
            setDone(null);
            setOthers([]);
          }}
        />
        {isConfirming ? (
          <>
            <p className="notice notice-danger">
              Erase the account, messages and mails of {email || 'this address'}? This cannot be
              undone.
            </p>
            <div className="flex flex-wrap gap-3">
              <BusyButton
                busy={action.busy}
                busyText="Erasing…"
                className="btn btn-danger btn-small"
              >
                Erase for good
              </BusyButton>
              <button
                type="button"
                className="btn btn-secondary btn-small"
                onClick={() => {
                  setIsConfirming(false);
                }}
              >
                Keep it
              </button>
            </div>
          </>
        ) : (
          <div className="flex flex-wrap gap-3">
            <BusyButton
              busy={action.busy}
              busyText="Reading…"
              className="btn btn-secondary btn-small"
            >
              Download to read
            </BusyButton>
            <button
              type="button"
              className="btn btn-secondary btn-small"
              onClick={(event) => {
                if (event.currentTarget.form?.reportValidity() === true) void download('file');
              }}
            >
              Download for programs
            </button>
            <button
              type="button"
              className="btn btn-quiet btn-small"
              onClick={(event) => {
                if (event.currentTarget.form?.reportValidity() === true) setIsConfirming(true);
              }}
            >
              Erase…
            </button>
          </div>
        )}
        <ActionError error={action.error} />
        {others.length > 0 ? (
          <p className="notice" role="status">
            {othersText(others)}
          </p>
        ) : null}
        {done === null ? null : (
          <p className="notice" role="status">
            {done}
          </p>
        )}
      </form>
    </FoldedPanel>
  );
}
