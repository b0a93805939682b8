import { ModalDialog } from '../../shared/ModalDialog.tsx';
import { LoginForm } from './LoginForm.tsx';

/** The gate as a page of its own (spec section 2, Admin). */
export function GatePage() {
  return (
    <div className="gate panel">
      <h1 className="page-title">Admin Access</h1>
      <hr className="hairline gate-thread" />
      <p className="text-ink-700">Enter password</p>
      <LoginForm />
    </div>
  );
}

/** The gate over the open page when the session has ended. What lies under it stays as it is. */
export function GateDialog({ open }: { open: boolean }) {
  return (
    <ModalDialog open={open} title="Admin Access" closable={false} onClose={() => undefined} className="max-w-narrow">
      <hr className="hairline gate-thread" />
      <p className="text-ink-700">Enter password</p>
      <p className="mt-2 text-sm text-ink-500">Your session has ended. Everything you typed is still here.</p>
      {open ? <LoginForm /> : null}
    </ModalDialog>
  );
}
