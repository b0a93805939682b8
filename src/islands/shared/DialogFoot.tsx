import { createContext, useContext, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** The element of the dialog's foot; null until it is drawn. */
export const DialogFootPlace = createContext<HTMLElement | null>(null);

/**
 * The buttons of a dialog, below the part that scrolls: no field can be behind them, wherever a browser scrolls to. They are outside of
 * the form's element, so its submit button names it by `form`.
 */
export function DialogFoot({ children }: { children: ReactNode }) {
  const place = useContext(DialogFootPlace);
  return place === null ? null : createPortal(children, place);
}
