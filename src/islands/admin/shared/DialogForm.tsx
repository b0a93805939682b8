import { useId, type ReactNode, type RefObject } from 'react';
import { BusyButton } from '#islands/shared/BusyButton.tsx';
import { DialogFoot } from '#islands/shared/DialogFoot.tsx';
import { ModalDialog } from '#islands/shared/ModalDialog.tsx';
import { ActionError } from './ActionError.tsx';
import type { Action } from './use-action.ts';

interface DialogFormProps {
  title: string;
  open?: boolean;
  action: Action;
  /** Something else is being saved, which this must not overtake. */
  blocked?: boolean;
  /** The submit button's texts: before, and while it works. */
  submitText: string;
  busyText: string;
  danger?: boolean;
  /** Text of the button that changes nothing; none where the X is enough. */
  dismissText?: string;
  className?: string;
  fieldsClassName?: string;
  form?: RefObject<HTMLFormElement | null>;
  onClose: () => void;
  onSubmit: () => void;
  children: ReactNode;
}

/** A question or a form in a dialog: what it asks, why the last try failed, and its answers. It stays while one is under way. */
export function DialogForm(props: DialogFormProps) {
  const {
    title,
    open = true,
    action,
    blocked = false,
    submitText,
    busyText,
    danger = false,
    dismissText,
    form,
    onClose,
    onSubmit,
  } = props;
  const formId = useId();
  return (
    <ModalDialog
      open={open}
      title={title}
      onClose={onClose}
      closable={!action.busy}
      className={props.className ?? 'max-w-lg'}
    >
      <form
        id={formId}
        ref={form}
        noValidate
        autoComplete="off"
        className="mt-4 grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <div className={`grid gap-5 ${props.fieldsClassName ?? ''}`}>{props.children}</div>
        <DialogFoot>
          <ActionError error={action.error} className="basis-full" />
          <BusyButton
            form={formId}
            busy={action.busy || blocked}
            busyText={busyText}
            className={danger ? 'btn btn-danger' : 'btn btn-primary'}
          >
            {submitText}
          </BusyButton>
          {dismissText === undefined ? null : (
            <button
              type="button"
              className="btn btn-secondary"
              aria-disabled={action.busy}
              onClick={() => !action.busy && onClose()}
            >
              {dismissText}
            </button>
          )}
        </DialogFoot>
      </form>
    </ModalDialog>
  );
}
