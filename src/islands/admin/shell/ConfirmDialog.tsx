import { useStore } from '@nanostores/react';
import { confirmAdmin } from '#services/admin/session.ts';
import { $confirmation } from '#stores/admin-confirmation.ts';
import { CredentialsDialog } from '#islands/admin/shared/credentials/CredentialsDialog.tsx';

/** Asks for the password over the open page when the server wants it again. The refused request is repeated afterwards. */
export function ConfirmDialog() {
  const confirmation = useStore($confirmation);
  if (confirmation === null) return null;
  const { codeNeeded, close } = confirmation;
  return (
    <CredentialsDialog
      title="Confirm your password"
      codeNeeded={codeNeeded}
      submitText="Continue"
      failure="Not confirmed"
      onSubmit={async (credentials) => {
        await confirmAdmin(credentials);
        close(true);
      }}
      onClose={() => {
        close(false);
      }}
    >
      <p>Enter your password to go on. Everything you typed is still here.</p>
    </CredentialsDialog>
  );
}
