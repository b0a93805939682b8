import { useEffect, useLayoutEffect, useRef, type ComponentProps } from 'react';
import { closeOnBack } from '#services/close-on-back.ts';
import { ModalDialog } from './ModalDialog.tsx';

/**
 * A modal dialog of a customer's page, which the browser's Back closes. The admin page has addresses for what it shows, and no need of it.
 */
export function Sheet(props: ComponentProps<typeof ModalDialog>) {
  const { open, closable = true, onClose } = props;
  /** Of the last time that it was drawn open. */
  const last = useRef({ closable, onClose });
  useLayoutEffect(() => {
    if (open) last.current = { closable, onClose };
  });
  useEffect(() => {
    if (!open) return undefined;
    const closed = closeOnBack(() => {
      if (last.current.closable) last.current.onClose();
      return last.current.closable;
    });
    return () => {
      // What the customer could not close goes on to the payment, or to the page of the order.
      closed(last.current.closable);
    };
  }, [open]);
  return <ModalDialog {...props} />;
}
