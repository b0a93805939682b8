import { useState } from 'react';
import { MyDataButtons } from '#features/data-export/MyDataButtons.tsx';
import { askAccountDeletion } from '#services/auth/personal-data.ts';
import { showToast } from '#stores/toasts.ts';
import { useBusy } from '#islands/shared/use-busy.ts';
import { reasonOf } from '#services/connection.ts';

/** The customer's stored data, and the deletion of the account. */
export function MyData() {
  const [step, setStep] = useState<'idle' | 'confirm' | { sentTo: string }>('idle');
  const { busy, run } = useBusy();
  const showFailure = (error: unknown) => {
    showToast('The link could not be sent', { description: reasonOf(error), tone: 'destructive' });
  };
  const ask = () =>
    run(showFailure, async () => {
      setStep({ sentTo: await askAccountDeletion() });
    });
  return (
    <section className="mt-12 border-t border-line pt-6" aria-labelledby="my-data-title">
      <h2 className="text-xl" id="my-data-title">
        Your data
      </h2>
      <p className="mt-2 text-sm/relaxed text-ink-700">
        Everything that we hold about you. What each part is for, and how long we keep it, is in the{' '}
        <a className="link" href="/privacy#what">
          privacy policy
        </a>
        .
      </p>
      <p className="mt-4 flex flex-wrap gap-3">
        <MyDataButtons />
        {step === 'idle' ? (
          <button
            type="button"
            className="btn btn-quiet btn-small"
            onClick={() => {
              setStep('confirm');
            }}
          >
            Delete my account…
          </button>
        ) : null}
      </p>
      {typeof step === 'object' ? (
        <p className="notice mt-4" role="status">
          We sent a link to {step.sentTo}. It deletes your account when you open it and press its
          button. It works for 24 hours.
        </p>
      ) : null}
      {step === 'confirm' ? (
        <div className="mt-4">
          <p className="text-sm/relaxed">
            Your profile, wishlist and messages are erased for good. Orders that you paid stay with
            their invoices, as tax law asks. To be sure that it is you, we send a link to your
            e-mail address.
          </p>
          <p className="mt-3 flex flex-wrap gap-3">
            <button
              type="button"
              className="btn btn-primary btn-small"
              aria-busy={busy}
              onClick={() => void ask()}
            >
              {busy ? 'Sending…' : 'Send me the link'}
            </button>
            <button
              type="button"
              className="btn btn-secondary btn-small"
              onClick={() => {
                setStep('idle');
              }}
            >
              Keep my account
            </button>
          </p>
        </div>
      ) : null}
    </section>
  );
}
