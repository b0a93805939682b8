import type { ReactNode } from 'react';
import { ModalDialog } from '#islands/shared/ModalDialog.tsx';
import { Gate } from './Gate.tsx';
import { LoginForm } from './LoginForm.tsx';

/** The login form as a page of its own (spec section 2, Admin). `first`: rendered by the server, which knows no session. */
export function LoginPage({ first, children }: { first: boolean; children: ReactNode }) {
  return (
    <Gate title="Admin Access" className={first ? 'first-state loading-part' : ''}>
      <LoginForm />
      {children}
    </Gate>
  );
}

/** The login form over the open page when the session has ended. The page under it stays as it is. */
export function LoginDialog({ open }: { open: boolean }) {
  return (
    <ModalDialog
      open={open}
      title="Admin Access"
      closable={false}
      onClose={() => undefined}
      className="max-w-narrow"
    >
      <hr className="hairline mt-4 mb-5 w-16" />
      {open ? (
        <LoginForm note="Your session has ended. Everything you typed is still here." />
      ) : null}
    </ModalDialog>
  );
}
