import { useEffect, useLayoutEffect, useRef, type ComponentProps } from 'react';
import { closeOnBack } from '../../services/close-on-back.ts';
import { ModalDialog } from './ModalDialog.tsx';

/** A modal dialog of a customer's page, which the browser's Back closes. The admin page has addresses for what it shows, and no need of it. */
export function Sheet(props: ComponentProps<typeof ModalDialog>) {
  const { open, closable = true, onClose } = props;
  const leave = useRef((): boolean => false);
  useLayoutEffect(() => {
    leave.current = () => {
      if (closable) onClose();
      return closable;
    };
  });
  useEffect(() => (open ? closeOnBack(() => leave.current()) : undefined), [open]);
  return <ModalDialog {...props} />;
}
