import { useEffect, useRef, type DOMAttributes } from 'react';

/** How long a finger stays on a row until it chooses it, in ms; a browser's own menu of a link comes later. */
const holdMs = 450;

/**
 * The handlers of a row that a finger chooses by staying on it. Nothing else depends on them: a button and boxes do the same.
 *
 * @param onHold - Null while a tap chooses.
 */
export function useHold(onHold: (() => void) | null): DOMAttributes<HTMLElement> {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const touch = useRef<'none' | 'touched' | 'held'>('none');
  const stop = () => {
    clearTimeout(timer.current);
  };
  useEffect(() => stop, []);
  return {
    onPointerDown: ({ pointerType }) => {
      stop();
      touch.current = pointerType === 'touch' && onHold !== null ? 'touched' : 'none';
      if (touch.current === 'none') return;
      timer.current = setTimeout(() => {
        touch.current = 'held';
        onHold?.();
      }, holdMs);
    },
    onPointerUp: stop,
    // The list is being scrolled.
    onPointerCancel: stop,
    onContextMenu: (event) => {
      if (touch.current !== 'none') event.preventDefault();
    },
    // The finger that leaves the row is no second press.
    onClickCapture: (event) => {
      if (touch.current !== 'held') return;
      touch.current = 'none';
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
