import { useState } from 'react';
import { ModalDialog } from '#islands/shared/ModalDialog.tsx';
import { AdminIcon } from '#islands/admin/shared/AdminIcon.tsx';

/** Gives up what was typed, after asking. */
export function DiscardButton({
  disabled,
  onDiscard,
}: {
  disabled: boolean;
  onDiscard: () => void;
}) {
  const [asking, setAsking] = useState(false);
  const keep = () => {
    setAsking(false);
  };
  return (
    <>
      <button
        type="button"
        className="btn btn-quiet ml-auto max-sm:px-1.5 max-sm:tracking-normal"
        onClick={() => disabled || setAsking(true)}
      >
        Discard changes
      </button>
      <ModalDialog
        open={asking}
        title="Discard your changes?"
        onClose={keep}
        className="max-w-narrow"
      >
        <p className="mt-4 text-ink-700">
          What you typed since the last save is lost. The product in the shop stays as it is.
        </p>
        <div className="mt-6 flex flex-wrap gap-3">
          <button
            type="button"
            className="btn btn-secondary max-sm:px-[1.125rem]"
            data-autofocus
            onClick={keep}
          >
            Keep editing
          </button>
          <button
            type="button"
            className="btn btn-danger max-sm:px-[1.125rem]"
            onClick={() => {
              keep();
              onDiscard();
            }}
          >
            <AdminIcon name="bin" /> Discard
          </button>
        </div>
      </ModalDialog>
    </>
  );
}
