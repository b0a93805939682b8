import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { DialogFootPlace } from './DialogFoot.tsx';
import { Icon } from './Icon.tsx';
import { revealField } from './reveal-field.ts';

interface ModalDialogProps {
  open: boolean;
  title: string;
  /** Keeps the title for screen readers alone, when the content has its own heading. */
  titleHidden?: boolean;
  /** Called for the X, Escape and a click beside the dialog. */
  onClose: () => void;
  /** False while something is under way that must not be left. */
  closable?: boolean;
  className?: string;
  children: ReactNode;
}

/** Messages come along into the dialog: everything outside a modal one can be neither read out nor pressed. */
function moveToasts(into: HTMLElement): void {
  const region = document.querySelector('toast-region');
  if (region && region.parentElement !== into) into.append(region);
}

/** The modal dialogs on screen, the uppermost last. */
const openDialogs: HTMLDialogElement[] = [];

/**
 * Keeps a dialog in the part of the screen that is seen, and in the dialog the field that is typed into: a keyboard makes the visual
 * viewport smaller, and no other.
 */
function followViewport(dialog: HTMLDialogElement): () => void {
  const { style } = dialog;
  const viewport = window.visualViewport;
  if (viewport === null) return () => undefined;
  const fit = () => {
    // Zooming in makes it smaller, too; the dialog then stays as large as the page.
    const zoomed = viewport.scale > 1;
    style.setProperty('--visible-height', zoomed ? '100dvh' : `${String(viewport.height)}px`);
    style.setProperty('--visible-top', zoomed ? '0px' : `${String(viewport.offsetTop)}px`);
    const typedInto = dialog.querySelector('.field :focus');
    if (typedInto !== null) revealField(typedInto);
  };
  fit();
  viewport.addEventListener('resize', fit);
  viewport.addEventListener('scroll', fit);
  return () => {
    viewport.removeEventListener('resize', fit);
    viewport.removeEventListener('scroll', fit);
  };
}

function show(dialog: HTMLDialogElement): () => void {
  if (!dialog.open) {
    dialog.showModal();
    // React's `autoFocus` comes before the dialog is shown, when nothing in it can take the focus.
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }
  openDialogs.push(dialog);
  moveToasts(dialog);
  const unfollow = followViewport(dialog);
  return () => {
    unfollow();
    openDialogs.splice(openDialogs.indexOf(dialog), 1);
    if (dialog.contains(document.querySelector('toast-region')))
      moveToasts(openDialogs.at(-1) ?? document.body);
    dialog.close();
  };
}

/** A native modal dialog: the browser keeps the focus inside and gives it back afterwards. */
export function ModalDialog(props: ModalDialogProps) {
  const {
    open,
    title,
    titleHidden = false,
    onClose,
    closable = true,
    className = '',
    children,
  } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [foot, setFoot] = useState<HTMLElement | null>(null);
  // A layout effect: its cleanup runs before React takes the dialog, and the messages in it, off the page.
  useLayoutEffect(() => (open && dialog.current ? show(dialog.current) : undefined), [open]);
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // The state closes it, not the browser, so that both always agree.
        event.preventDefault();
        if (closable) onClose();
      }}
      onClose={() => {
        // Browsers close at a second Escape without asking.
        if (!open) return;
        if (closable) onClose();
        else dialog.current?.showModal();
      }}
      onMouseDown={(event) => {
        if (closable && event.target === dialog.current) onClose();
      }}
    >
      <div className="dialog-body p-5 sm:p-8">
        <div
          className={`flex items-start gap-4 ${titleHidden ? 'justify-end' : 'justify-between'}`}
        >
          <h2 className={titleHidden ? 'visually-hidden' : 'section-title'} id={titleId}>
            {title}
          </h2>
          {closable ? (
            <button
              type="button"
              className="icon-btn -mt-2 -mr-2 shrink-0"
              aria-label="Close"
              onClick={onClose}
            >
              <Icon name="close" />
            </button>
          ) : null}
        </div>
        <DialogFootPlace value={foot}>{children}</DialogFootPlace>
      </div>
      <div className="dialog-foot" ref={setFoot} />
    </dialog>
  );
}
