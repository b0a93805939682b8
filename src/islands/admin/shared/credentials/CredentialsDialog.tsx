import { useEffect, useState, type ReactNode } from 'react';
import { CodeField } from '#features/second-factor/CodeField.tsx';
import { AdminError } from '#services/admin/admin-error.ts';
import type { Credentials } from '#services/admin/session.ts';
import { PasswordField } from '#islands/shared/PasswordField.tsx';
import { useForm } from '#islands/shared/use-form.ts';
import { DialogForm } from '#islands/admin/shared/DialogForm.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';

const fieldOf: Readonly<Record<string, 'password' | 'code'>> = {
  wrong_password: 'password',
  code_required: 'code',
  wrong_code: 'code',
};

interface CredentialsDialogProps {
  title: string;
  codeNeeded: boolean;
  submitText: string;
  danger?: boolean;
  /** Beginning of the message when it fails: 'Two-step login stays on'. */
  failure: string;
  /** Throws AdminError: 'wrong_password', 'code_required' and 'wrong_code' are shown at their field. */
  onSubmit: (credentials: Credentials) => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that asks for the password, and for a code when one is needed. */
export function CredentialsDialog(props: CredentialsDialogProps) {
  const { title, submitText, danger = false, failure, onSubmit, onClose, children } = props;
  const action = useAction();
  const { values, ref, bind, refuse } = useForm(() => ({ password: '', code: '' }));
  const [codeNeeded, setCodeNeeded] = useState(props.codeNeeded);
  const [recovery, setRecovery] = useState(false);
  useEffect(() => {
    ref.current?.querySelector<HTMLElement>('input[name=password]')?.focus();
  }, [ref]);
  const send = async () => {
    const { password, code } = values;
    if (password === '') {
      refuse({ password: 'Password is required' });
      return;
    }
    if (codeNeeded && code.trim() === '') {
      refuse({ code: 'Enter the code' });
      return;
    }
    await action.run(failure, async () => {
      try {
        await onSubmit({ password, ...(codeNeeded ? { code } : {}) });
      } catch (error) {
        const field = error instanceof AdminError ? fieldOf[error.code] : undefined;
        if (!(error instanceof AdminError) || field === undefined) throw error;
        // Another device has turned the second factor on.
        if (field === 'code') setCodeNeeded(true);
        refuse({ [field]: error.message });
      }
    });
  };
  return (
    <DialogForm
      title={title}
      form={ref}
      action={action}
      submitText={submitText}
      busyText="Checking…"
      danger={danger}
      dismissText="Cancel"
      className="max-w-narrow"
      onClose={onClose}
      onSubmit={() => void send()}
    >
      <div className="grid gap-2 text-sm/relaxed text-ink-700">{children}</div>
      {/* Password managers store a password under a name. */}
      <input type="text" name="username" autoComplete="username" value="admin" readOnly hidden />
      <PasswordField {...bind('password')} label="Password" autoComplete="current-password" />
      {codeNeeded ? (
        <CodeField {...bind('code')} recovery={recovery} onRecovery={setRecovery} />
      ) : null}
    </DialogForm>
  );
}
